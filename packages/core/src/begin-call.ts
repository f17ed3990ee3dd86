import type { ToolSpan } from "@codemode/telemetry";
import type { Bell } from "./bell.js";
import { createCallDeadline, type CallDeadline } from "./call-deadline.js";
import { cutShort, type HostWait } from "./cut-short.js";
import { cancelledFailure } from "./failures.js";
import type { CallContext } from "./options.js";
import type { RunContext } from "./run-context.js";

/** One exec or wait from its first moment, before it has a cell. Owned by that exec or wait, which disposes the deadline. */
export interface BegunCall {
  readonly context: CallContext;
  readonly deadline: CallDeadline;
  /** Only with a tracer. */
  readonly span: ToolSpan | undefined;
  /** Whom the margin is told to, from now on. */
  ringAtMargin(bell: Bell): void;
  /**
   * Waits for the host until the caller's signal or the end of the budget.
   *
   * @throws {CutShort}
   */
  within<T>(wait: HostWait<T>): Promise<T>;
}

/** Starts the budget of an exec or wait. */
export function beginCall(
  { host, limits, budget, script }: RunContext,
  context: CallContext,
  span: ToolSpan | undefined,
): BegunCall {
  const { clock, signals, reportFault } = host;
  let bell: Bell | undefined;
  const share = budget?.enter();
  const deadline = createCallDeadline({
    clock,
    timeoutMs: script === undefined ? limits.timeoutMs : Math.min(limits.timeoutMs, Math.max(0, script.remainingMs())),
    onMargin: () => bell?.ring(),
    ...(share === undefined ? {} : { share }),
  });
  return {
    context,
    deadline,
    span,
    ringAtMargin(rung) {
      bell = rung;
    },
    within: (wait) =>
      cutShort(wait, {
        clock,
        remainingMs: deadline.remainingMs(),
        reportFault,
        onStop: (stop) => signals.onAbort(context.signal, () => stop(cancelledFailure())),
      }),
  };
}
