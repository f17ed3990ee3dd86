import { performance } from "node:perf_hooks";
import { createToolExecutor, type QuestionGate, type ToolExecutor } from "@codemode/core";
import type { CellActivity } from "./cell-activity.js";
import type { FrontHost } from "./front-host.js";

export interface ExecutorSetting {
  /** Number of the session. */
  readonly session: number;
  readonly activity: CellActivity;
  /** Asked what servers ask, unless the host has a gate. */
  readonly askClient: QuestionGate;
}

/** The ordinary path of a nested call, watched: names and times only. */
export function watchedExecutor(host: FrontHost, { session, activity, askClient }: ExecutorSetting): ToolExecutor {
  const execute = createToolExecutor({
    askQuestion: host.approve ?? askClient,
    // A client's answer that does not fit is no fault of the host.
    onFault:
      host.approve === undefined
        ? () => host.emit({ type: "refused", reason: "an answer does not fit the question; it was not handed on" })
        : host.reportFault,
    ...(host.hooks === undefined ? {} : { hooks: host.hooks }),
    ...(host.approve === undefined ? {} : { approve: host.approve }),
  });
  return async (call, tool, context) => {
    const startedAt = performance.now();
    const settled = activity.nested(call);
    let status: "completed" | "failed" = "failed";
    try {
      const outcome = await execute(call, tool, context);
      status = "completed";
      return outcome;
    } finally {
      settled();
      const durationMs = performance.now() - startedAt;
      host.emit({ type: "nested-call", session, name: call.callableName, status, durationMs });
    }
  };
}
