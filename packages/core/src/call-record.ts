import { cutUtf8 } from "@codemode/bridge";
import type { NestedCall } from "@codemode/protocol";
import type { ToolSpan } from "@codemode/telemetry";
import type { Cell } from "./cell.js";
import { traceNestedCall } from "./traced-call.js";

const MAX_RECORDED_ERROR_BYTES = 500;
/** Secrets are looked for in so much of an error: far more than is kept, so that a secret at the cut is found whole. */
const MAX_SEARCHED_ERROR_BYTES = 4 * MAX_RECORDED_ERROR_BYTES;

/** What ledger, trajectory, counters and events know of one nested call. A call that never starts leaves no trace. */
export interface CallRecord {
  /**
   * The tool is about to run. Observers are told first; when one of them ends the cell, the tool must not run and only
   * observers know of the call.
   */
  start(): void;
  /** Runs the tool under its span, where there is a tracer. */
  within<T>(work: () => T): T;
  /** How a started call ended. Idempotent. */
  end(status: "completed" | "failed" | "unknown", error?: string): void;
}

export function createCallRecord(cell: Cell, call: NestedCall): CallRecord {
  const { host, trajectory } = cell.run;
  const event = { cellId: cell.id, callId: call.id, name: call.callableName };
  let startedAt: number | undefined;
  let settleEffect: ((status: "completed" | "failed") => void) | undefined;
  let span: ToolSpan | undefined;
  let isEnded = false;

  return {
    start() {
      startedAt = host.clock.now();
      host.emit({ type: "call-start", ...event });
      if (isEnded) return;
      settleEffect = cell.effects.dispatched(call.callableName);
      cell.telemetry.countCall();
      span = traceNestedCall(cell.call?.span, call);
      trajectory.start({
        id: call.id,
        ...(call.parentId === undefined ? {} : { parentId: call.parentId }),
        toolName: call.toolName,
        callableName: call.callableName,
        source: call.source,
      });
    },
    within: (work) => (span === undefined ? work() : span.run(work)),
    end(status, error) {
      if (startedAt === undefined || isEnded) return;
      isEnded = true;
      if (status !== "unknown") settleEffect?.(status);
      trajectory.settle(call.id, status, error === undefined ? undefined : shown(cell, error));
      span?.end({
        attributes: { "codemode.status": status },
        ...errorField(status, error),
      });
      const told = settleEffect === undefined ? "failed" : status;
      host.emit({ type: "call-end", ...event, status: told, durationMs: host.clock.now() - startedAt });
    },
  };
}

/** The error's name alone, and only a plain one: it comes from a tool. */
function errorField(status: "completed" | "failed" | "unknown", error = ""): { readonly errorType?: string } {
  if (status === "completed") return {};
  return { errorType: status === "unknown" ? status : (/^[A-Za-z]\w{0,60}(?=:)/.exec(error)?.[0] ?? "Error") };
}

/** An error as it may be kept. */
function shown({ run }: Cell, error: string): string {
  return cutUtf8(run.host.redactor.text(cutUtf8(error, MAX_SEARCHED_ERROR_BYTES)), MAX_RECORDED_ERROR_BYTES);
}
