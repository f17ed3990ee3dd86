import { JSException, type JSValueHandle, type QuickJS } from "quickjs-wasi";
import { CodeModeError, type VmFailure } from "@codemode/protocol";
import type { RunBudget } from "./budget.js";

/** What left the engine instead of a value. */
export type EngineOutcome =
  | { readonly type: "interrupted" }
  /** The engine gave up by itself, as a rule because the memory limit is reached; `reason` is its own text. */
  | { readonly type: "exhausted"; readonly reason: string }
  | { readonly type: "thrown"; readonly exception: JSException }
  /** The prelude said something of unknown shape. */
  | { readonly type: "malformed"; readonly problem: string }
  /** A trap or host error: the VM's memory can no longer be trusted. */
  | { readonly type: "trap"; readonly cause: unknown };

const MAX_REASON_CHARS = 200;

export type FatalOutcome = Exclude<EngineOutcome, { type: "thrown" }>;

/**
 * Classifies an exception by facts: whether the host interrupted, and whether the engine marked it as uncatchable,
 * which no error of the guest's making can be.
 */
export function classifyException(vm: QuickJS, cause: unknown, budget: RunBudget): EngineOutcome {
  if (CodeModeError.isInstance(cause)) return { type: "malformed", problem: cause.message };
  if (!(cause instanceof JSException)) return { type: "trap", cause };
  if (!isUncatchable(vm, cause.handle)) return { type: "thrown", exception: cause };
  const reason = cause.message;
  return budget.interruption() === "none" ? { type: "exhausted", reason } : { type: "interrupted" };
}

/** The failure of an outcome that ends the VM. */
export function fatalFailure(outcome: FatalOutcome, budget: RunBudget, memoryLimitBytes: number): VmFailure {
  switch (outcome.type) {
    case "interrupted":
      return budget.interruption() === "aborted"
        ? { code: "aborted", phase: "host", message: "Error: the cell was aborted" }
        : { code: "timeout", phase: "guest", message: "Error: the deadline of the call passed while the cell ran" };
    case "exhausted":
      return {
        phase: "guest",
        message: `Error: ${outcome.reason.slice(0, MAX_REASON_CHARS)}: the cell may use ${memoryLimitBytes} bytes. Keep less data at a time.`,
      };
    case "malformed":
      return { code: "internal_error", phase: "host", message: `Error: ${outcome.problem}` };
    case "trap":
      return {
        code: "runtime_unavailable",
        phase: "host",
        message: `Error: the engine stopped: ${describe(outcome.cause)}`,
      };
  }
}

/** Whether the engine marked an error as one no guest code may catch. */
// The flag is not part of the package's typed surface; `test/engine-facts.test.ts` holds it in place.
function isUncatchable(vm: QuickJS, error: JSValueHandle): boolean {
  return vm._getExports().qjs_is_uncatchable_error(error.ptr) !== 0;
}

function describe(cause: unknown): string {
  return cause instanceof Error ? `${cause.name}: ${cause.message.slice(0, 200)}` : "unknown cause";
}
