import { JSException, type JSValueHandle, type QuickJS } from "quickjs-wasi";
import {
  CodeModeError,
  type Delivery,
  type GuestVm,
  type OutputDelta,
  type PreparedSource,
  type VmFailure,
  type VmLimits,
  type VmSnapshot,
  type VmStep,
} from "@codemode/protocol";
import { decodeRequests } from "@codemode/bridge";
import type { RunBudget } from "./budget.js";
import type { VmChannel } from "./channel.js";
import { encodeDelivery } from "./encode-delivery.js";
import { encodeValue } from "./encode-value.js";
import { compileCell, positionInStack } from "./eval-cell.js";
import { classifyException, fatalFailure } from "./guest-error.js";
import type { HandleLedger } from "./handles.js";
import { readChannelStep, readOutput } from "./read-step.js";
import { snapshotBytes, toVmSnapshot } from "./snapshot.js";

export interface VmParts {
  readonly vm: QuickJS;
  readonly channel: VmChannel;
  readonly budget: RunBudget;
  readonly handles: HandleLedger;
  readonly limits: VmLimits;
  readonly engineHash: string;
  /** What went wrong inside the engine's rejection callback, from where nothing can be thrown. */
  takeCallbackError(): unknown;
}

const NO_OUTPUT: OutputDelta = { items: [], omittedItems: 0, omittedBytes: 0 };

/** One live VM. Takes over the parts: disposing it disposes them. */
export function createGuestVm(parts: VmParts): GuestVm {
  const { vm, channel, budget, handles, limits } = parts;
  let isDisposed = false;

  function evaluate(source: PreparedSource): VmStep {
    let body: JSValueHandle;
    try {
      body = handles.own(compileCell(vm, source));
    } catch (cause) {
      return failWithSyntax(cause);
    }
    try {
      channel.start(body);
    } finally {
      handles.release(body);
    }
    return pump();
  }

  function pump(): VmStep {
    while (!runJobs()) continue;
    const callbackError = parts.takeCallbackError();
    if (callbackError !== undefined) throw callbackError;
    return readStep();
  }

  /** False when a job threw outside any promise: the cell remembers it, and the rest of the jobs still runs. */
  function runJobs(): boolean {
    try {
      vm.executePendingJobs();
      return true;
    } catch (cause) {
      const outcome = classifyException(vm, cause, budget);
      if (outcome.type !== "thrown") throw new FatalFailure(fatalFailure(outcome, budget, limits.memoryLimitBytes));
      channel.uncaught(outcome.exception.handle);
      outcome.exception.dispose();
      return false;
    }
  }

  function readStep(): VmStep {
    const step = readChannelStep(channel.step());
    const output = readOutput(step.output);
    const guestMs = budget.elapsedMs();
    switch (step.type) {
      case "boundary":
        return {
          type: "boundary",
          requests: decodeRequests(step.requests),
          cancelled: step.cancelled,
          isSettled: step.isSettled,
          output,
          guestMs,
        };
      case "completed":
        return { type: "completed", value: encodeValue(channel.value(), limits.maxOutputBytes), output, guestMs };
      case "failed": {
        const position = positionInStack(step.stack);
        const failure: VmFailure = { message: step.message, phase: step.phase, ...(position && { position }) };
        return { type: "failed", failure, output, guestMs };
      }
    }
  }

  function failWithSyntax(cause: unknown): VmStep {
    const outcome = classifyException(vm, cause, budget);
    if (outcome.type !== "thrown") return failedStep(fatalFailure(outcome, budget, limits.memoryLimitBytes));
    // Nothing of the cell has run, so the exception's fields are the engine's own.
    const { name, message, stack } = outcome.exception;
    const position = positionInStack(stack ?? "");
    outcome.exception.dispose();
    return failedStep({
      code: "invalid_input",
      phase: "input",
      message: `${name}: ${message}`,
      ...(position && { position }),
    });
  }

  function failedStep(failure: VmFailure): VmStep {
    return { type: "failed", failure, output: NO_OUTPUT, guestMs: budget.elapsedMs() };
  }

  /** Runs one step; whatever leaves the engine becomes a failed step. */
  function guarded(budgetMs: number, work: () => VmStep): VmStep {
    if (isDisposed) throw new CodeModeError("closed", "The VM was disposed.", { what: "executor" });
    budget.begin(budgetMs);
    try {
      return work();
    } catch (cause) {
      if (cause instanceof FatalFailure) return failedStep(cause.failure);
      const outcome = classifyException(vm, cause, budget);
      if (outcome.type !== "thrown") return failedStep(fatalFailure(outcome, budget, limits.memoryLimitBytes));
      return failedStep(describeThrown(outcome.exception));
    }
  }

  /** An error the guest provoked inside the prelude, such as an overflow of the stack while its value was read. */
  function describeThrown(exception: JSException): VmFailure {
    try {
      const described = JSON.parse(channel.describe(exception.handle)) as { message: string; stack: string };
      const position = positionInStack(described.stack);
      return { phase: "guest", message: described.message, ...(position && { position }) };
    } catch (cause) {
      const outcome = classifyException(vm, cause, budget);
      if (outcome.type !== "thrown") return fatalFailure(outcome, budget, limits.memoryLimitBytes);
      outcome.exception.dispose();
      return { phase: "guest", message: "Error: the cell's error could not be described" };
    } finally {
      exception.dispose();
    }
  }

  return {
    evaluate: (source, budgetMs) => guarded(budgetMs, () => evaluate(source)),
    deliver: (delivery: Delivery, budgetMs) =>
      guarded(budgetMs, () => {
        channel.deliver(encodeDelivery(delivery));
        return pump();
      }),
    park(): VmSnapshot {
      const actualBytes = snapshotBytes(vm._getMemory().buffer.byteLength);
      if (actualBytes > limits.maxSnapshotBytes) throw tooLarge(limits.maxSnapshotBytes, actualBytes);
      return toVmSnapshot(vm.snapshot(), parts.engineHash, channel.token);
    },
    dispose() {
      if (isDisposed) return;
      isDisposed = true;
      // The engine first: afterwards giving handles back touches no memory, which a trap may have ruined.
      vm.dispose();
      channel.dispose();
    },
  };
}

/** Carries a failure out of the pump, past the classification of exceptions. */
class FatalFailure extends Error {
  constructor(readonly failure: VmFailure) {
    super(failure.message);
  }
}

function tooLarge(limitBytes: number, actualBytes: number): CodeModeError {
  return new CodeModeError(
    "snapshot_limit_exceeded",
    `The cell holds ${actualBytes} bytes and may park at most ${limitBytes}. Keep less data across waits.`,
    { limitBytes, actualBytes },
  );
}
