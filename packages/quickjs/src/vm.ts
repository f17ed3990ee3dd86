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
import { encodeDelivery } from "./encode-delivery.js";
import { encodeValue } from "./encode-value.js";
import { compileCell, positionInStack } from "./eval-cell.js";
import { classifyException, fatalFailure, type FatalOutcome } from "./guest-error.js";
import type { HandleLedger } from "./handles.js";
import { readChannelStep, readOutput } from "./read-step.js";
import type { EngineInstance } from "./instance.js";

export interface VmParts {
  readonly instance: EngineInstance;
  /** Counts the handles of the cell. */
  readonly handles: HandleLedger;
  readonly limits: VmLimits;
  park(): VmSnapshot;
  /** Called once. `isClean`: the guest ended by itself, so that the engine is in order. */
  dispose(isClean: boolean): void;
}

const NO_OUTPUT: OutputDelta = { items: [], omittedItems: 0, omittedBytes: 0 };

/** One live VM. Takes over the parts: disposing it disposes them. */
export function createGuestVm(parts: VmParts): GuestVm {
  const { handles, limits } = parts;
  const { vm, channel, budget } = parts.instance;
  let isDisposed = false;
  let isClean = true;

  function evaluate(source: PreparedSource): VmStep {
    let body: JSValueHandle;
    try {
      body = handles.own(compileCell(vm, source));
    } catch (cause) {
      return failWithSyntax(cause);
    }
    try {
      channel.start(body, limits.maxOutputBytes);
    } finally {
      handles.release(body);
    }
    return pump();
  }

  function pump(): VmStep {
    while (!runJobs()) continue;
    const callbackError = parts.instance.takeCallbackError();
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
      if (outcome.type !== "thrown") throw new FatalFailure(fatal(outcome));
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
    if (outcome.type !== "thrown") return failedStep(fatal(outcome));
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

  function fatal(outcome: FatalOutcome): VmFailure {
    isClean = false;
    return fatalFailure(outcome, budget, limits.memoryLimitBytes);
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
      if (outcome.type !== "thrown") return failedStep(fatal(outcome));
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
      if (outcome.type !== "thrown") return fatal(outcome);
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
    park: () => parts.park(),
    dispose() {
      if (isDisposed) return;
      isDisposed = true;
      parts.dispose(isClean);
    },
  };
}

/** Carries a failure out of the pump, past the classification of exceptions. */
class FatalFailure extends Error {
  constructor(readonly failure: VmFailure) {
    super(failure.message);
  }
}
