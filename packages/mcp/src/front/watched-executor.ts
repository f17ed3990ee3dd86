import { performance } from "node:perf_hooks";
import { createToolExecutor, type ToolExecutor } from "@codemode/core";
import type { CellActivity } from "./cell-activity.js";
import type { FrontHost } from "./front-host.js";

/** The ordinary path of a nested call, watched: names and times only. */
export function watchedExecutor(host: FrontHost, session: number, activity: CellActivity): ToolExecutor {
  const execute = createToolExecutor({
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
