import { decodeRequests } from "@codemode/bridge";
import {
  CodeModeError,
  NO_OUTPUT,
  type Delivery,
  type GuestVm,
  type OutputDelta,
  type PreparedSource,
  type VmFailure,
  type VmLimits,
  type VmSnapshot,
  type VmStep,
} from "@codemode/protocol";
import { JSException, type JSValueHandle } from "quickjs-wasi";
import { deliverTo } from "./deliver.js";
import { encodeValue } from "./encode-value.js";
import { compileCell, positionInStack } from "./eval-cell.js";
import { isExhausted } from "./exhaustion-latch.js";
import { classifyException, fatalFailure, type FatalOutcome } from "./guest-error.js";
import type { EngineInstance } from "./instance.js";
import { readChannelStep, readOutput, readOutputText, withInputs, type ChannelStep } from "./read-step.js";

export interface VmParts {
  readonly instance: EngineInstance;
  readonly limits: VmLimits;
  park(): VmSnapshot;
  /** Called once. `isClean`: the guest ended by itself, so that the engine is in order. */
  dispose(isClean: boolean): void;
}

/** Time an interrupted or exhausted guest gets for handing over its output, in ms. */
const SALVAGE_BUDGET_MS = 100;

/** One live VM that holds one cell. Takes over the parts: disposing it disposes them. */
export class LiveVm implements GuestVm {
  readonly #parts: VmParts;
  #isDisposed = false;
  #isClean = true;

  constructor(parts: VmParts) {
    this.#parts = parts;
  }

  evaluate(source: PreparedSource, budgetMs: number): VmStep {
    return this.#guarded(budgetMs, () => this.#start(source));
  }

  deliver(delivery: Delivery, budgetMs: number): VmStep {
    return this.#guarded(budgetMs, () => {
      deliverTo(this.#parts.instance.channel, delivery);
      return this.#pump();
    });
  }

  park(): VmSnapshot {
    return this.#parts.park();
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    if (this.#isClean) this.#parts.instance.reports.discard();
    this.#parts.dispose(this.#isClean);
  }

  /** Runs one step; whatever leaves the engine becomes a failed step. */
  #guarded(budgetMs: number, work: () => VmStep): VmStep {
    if (this.#isDisposed) throw new CodeModeError("closed", "The VM was disposed.", { what: "executor" });
    this.#parts.instance.budget.begin(budgetMs);
    let step: VmStep;
    try {
      step = work();
    } catch (cause) {
      const outcome = this.#classify(cause);
      if (outcome.type !== "thrown") return this.#endFatally(outcome);
      const hidden = this.#hiddenOutcome();
      if (hidden !== undefined) return this.#endFatally(hidden);
      return this.#failedStep(this.#describeThrown(outcome.exception));
    }
    const hidden = this.#hiddenOutcome();
    return hidden === undefined ? step : this.#endFatally(hidden, step.output);
  }

  /** Native code of the engine can turn its own errors into rejections, which a guest can catch. It does not go on. */
  #hiddenOutcome(): FatalOutcome | undefined {
    const { budget, vm, functions } = this.#parts.instance;
    const fault = functions.fault();
    if (fault !== undefined) return { type: "trap", cause: fault.cause };
    if (budget.interruption() !== "none") return { type: "interrupted" };
    return isExhausted(vm) ? { type: "exhausted", reason: "out of memory" } : undefined;
  }

  #start(source: PreparedSource): VmStep {
    const { instance, limits } = this.#parts;
    let body: JSValueHandle;
    try {
      body = compileCell(instance.vm, source);
    } catch (cause) {
      return this.#refuseSource(cause);
    }
    try {
      instance.channel.start(body, limits.maxOutputBytes);
    } finally {
      body.dispose();
    }
    return this.#pump();
  }

  #pump(): VmStep {
    const { instance } = this.#parts;
    for (;;) {
      while (!this.#runJobs()) continue;
      instance.reports.flush();
      const { step, payload } = readChannelStep(instance.channel.step());
      if (step.type !== "again") return this.#toVmStep(step, payload);
    }
  }

  /** False when a job threw outside any promise: the cell remembers it, and the rest of the jobs still runs. */
  #runJobs(): boolean {
    const { vm, channel } = this.#parts.instance;
    try {
      vm.executePendingJobs();
      return true;
    } catch (cause) {
      if (!(cause instanceof JSException) || this.#classify(cause).type !== "thrown") throw cause;
      channel.uncaught(cause.handle);
      cause.dispose();
      return false;
    }
  }

  #toVmStep(step: Exclude<ChannelStep, { type: "again" }>, payload: string): VmStep {
    const { instance, limits } = this.#parts;
    const shared = { output: readOutput(step.output), guestMs: instance.budget.elapsedMs() };
    switch (step.type) {
      case "boundary": {
        const { cancelled, isSettled } = step;
        return {
          type: "boundary",
          requests: decodeRequests(withInputs(step.requests, payload)),
          cancelled,
          isSettled,
          ...shared,
        };
      }
      case "completed":
        return { type: "completed", value: encodeValue(payload, limits.maxOutputBytes), ...shared };
      case "failed": {
        const { message, phase } = step;
        return { type: "failed", failure: { message, phase, ...positionOf(step.stack) }, ...shared };
      }
      case "refused":
        return {
          type: "failed",
          failure: { message: step.message, code: "invalid_input", phase: "bridge" },
          ...shared,
        };
    }
  }

  #refuseSource(cause: unknown): VmStep {
    const outcome = this.#classify(cause);
    if (outcome.type !== "thrown") return this.#endFatally(outcome);
    // Nothing of the cell has run, so the exception's fields are the engine's own.
    const { name, message, stack = "" } = outcome.exception;
    outcome.exception.dispose();
    return this.#failedStep({
      code: "invalid_input",
      phase: "input",
      message: `${name}: ${message}`,
      ...positionOf(stack),
    });
  }

  /** An error the guest provoked inside the prelude, such as an overflow of the stack while its value was read. */
  #describeThrown(exception: JSException): VmFailure {
    try {
      const described = JSON.parse(this.#parts.instance.channel.describe(exception.handle)) as ErrorText;
      return { phase: "guest", message: described.message, ...positionOf(described.stack) };
    } catch (cause) {
      const outcome = this.#classify(cause);
      if (outcome.type !== "thrown") return this.#fatal(outcome);
      outcome.exception.dispose();
      return { phase: "guest", message: "Error: the cell's error could not be described" };
    } finally {
      exception.dispose();
    }
  }

  #classify(cause: unknown): ReturnType<typeof classifyException> {
    const { vm, budget, functions } = this.#parts.instance;
    const fault = functions.fault();
    return fault === undefined ? classifyException(vm, cause, budget) : { type: "trap", cause: fault.cause };
  }

  /** The guest is over; what it had written is kept where the engine can still be asked. */
  #endFatally(outcome: FatalOutcome, output?: OutputDelta): VmStep {
    const failure = this.#fatal(outcome);
    const guestMs = this.#parts.instance.budget.elapsedMs();
    return { type: "failed", failure, output: output ?? this.#salvageOutput(outcome), guestMs };
  }

  #salvageOutput(outcome: FatalOutcome): OutputDelta {
    if (outcome.type === "trap" || outcome.type === "malformed") return NO_OUTPUT;
    const { budget } = this.#parts.instance;
    budget.watch(undefined);
    budget.begin(SALVAGE_BUDGET_MS);
    return this.#takeOutput();
  }

  #takeOutput(): OutputDelta {
    try {
      return readOutputText(this.#parts.instance.channel.output());
    } catch (cause) {
      const outcome = this.#classify(cause);
      if (outcome.type === "thrown") outcome.exception.dispose();
      this.#isClean = false;
      return NO_OUTPUT;
    }
  }

  #fatal(outcome: FatalOutcome): VmFailure {
    this.#isClean = false;
    return fatalFailure(outcome, this.#parts.instance.budget, this.#parts.limits.memoryLimitBytes);
  }

  #failedStep(failure: VmFailure): VmStep {
    const guestMs = this.#parts.instance.budget.elapsedMs();
    return { type: "failed", failure, output: this.#takeOutput(), guestMs };
  }
}

interface ErrorText {
  readonly message: string;
  readonly stack: string;
}

function positionOf(stack: string): Pick<VmFailure, "position"> {
  const position = positionInStack(stack);
  return position === undefined ? {} : { position };
}
