import { decodeRequests } from "@codemode/bridge";
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
import { JSException, type JSValueHandle } from "quickjs-wasi";
import { encodeDelivery } from "./encode-delivery.js";
import { encodeValue } from "./encode-value.js";
import { compileCell, positionInStack } from "./eval-cell.js";
import { classifyException, fatalFailure, type FatalOutcome } from "./guest-error.js";
import type { HandleLedger } from "./handles.js";
import type { EngineInstance } from "./instance.js";
import { readChannelStep, readOutput, readOutputText } from "./read-step.js";

export interface VmParts {
  readonly instance: EngineInstance;
  /** Counts the handles of the cell. */
  readonly handles: HandleLedger;
  readonly limits: VmLimits;
  park(): VmSnapshot;
  /** Called once. `isClean`: the guest ended by itself, so that the engine is in order. */
  dispose(isClean: boolean): void;
}

/** Time an interrupted or exhausted guest gets for handing over its output, in ms. */
const SALVAGE_BUDGET_MS = 100;
const NO_OUTPUT: OutputDelta = { items: [], omittedItems: 0, omittedBytes: 0 };

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
      this.#parts.instance.channel.deliver(encodeDelivery(delivery));
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
      return this.#failedStep(this.#describeThrown(outcome.exception));
    }
    // Native code of the engine can turn its own errors into rejections, which a guest can catch. It does not go on.
    const outcome = this.#hiddenOutcome();
    return outcome === undefined ? step : this.#endFatally(outcome, step.output);
  }

  #hiddenOutcome(): FatalOutcome | undefined {
    const { budget, reports, functions } = this.#parts.instance;
    const fault = functions.fault();
    if (fault !== undefined) return { type: "trap", cause: fault.cause };
    if (budget.interruption() !== "none") return { type: "interrupted" };
    const reason = reports.fatal();
    return reason === undefined ? undefined : { type: "exhausted", reason };
  }

  #start(source: PreparedSource): VmStep {
    const { handles, instance, limits } = this.#parts;
    let body: JSValueHandle;
    try {
      body = handles.own(compileCell(instance.vm, source));
    } catch (cause) {
      return this.#refuseSource(cause);
    }
    try {
      instance.channel.start(body, limits.maxOutputBytes);
    } finally {
      handles.release(body);
    }
    return this.#pump();
  }

  #pump(): VmStep {
    const { instance } = this.#parts;
    while (!this.#runJobs()) continue;
    instance.reports.flush();
    return this.#readStep();
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

  #readStep(): VmStep {
    const { instance, limits } = this.#parts;
    const step = readChannelStep(instance.channel.step());
    const shared = { output: readOutput(step.output), guestMs: instance.budget.elapsedMs() };
    switch (step.type) {
      case "boundary": {
        const { cancelled, isSettled } = step;
        return { type: "boundary", requests: decodeRequests(step.requests), cancelled, isSettled, ...shared };
      }
      case "completed":
        return { type: "completed", value: encodeValue(instance.channel.value(), limits.maxOutputBytes), ...shared };
      case "failed": {
        const { message, phase } = step;
        return { type: "failed", failure: { message, phase, ...positionOf(step.stack) }, ...shared };
      }
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
