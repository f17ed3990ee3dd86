import { RangeErrorConstructor } from "./primordials.js";

/** Requests of one step, timers and yields included. The host takes that many in without a noticeable pause. */
const MAX_STEP_REQUESTS = 20_000;

/** Yields of one step; one wait resolves them all. */
const MAX_STEP_YIELDS = 1_000;

/** Characters that the requests of one step take together, as JSON. The host parses the inputs of calls. */
const MAX_STEP_CHARS = 8_388_608;

/**
 * Bounds what the guest asks of the host between two boundaries, before it costs the host anything. The first request too
 * many is remembered: the cell fails at its boundary, whatever it caught, and nothing of the step is started.
 */
export interface StepLimits {
  /** Counts a request of so many characters. @throws RangeError when it is too many. */
  count(method: string, chars: number): void;
  /** What the cell fails with, or undefined. */
  excess(): string | undefined;
  /** The requests so far have been collected. */
  startStep(): void;
}

export function createStepLimits(): StepLimits {
  let requests = 0;
  let yields = 0;
  let chars = 0;
  let excess: string | undefined;

  function refusal(): string {
    if (requests > MAX_STEP_REQUESTS) {
      return `too many requests in one step, at most ${MAX_STEP_REQUESTS}. Await calls and timers in groups.`;
    }
    if (yields > MAX_STEP_YIELDS) return `too many yields in one step, at most ${MAX_STEP_YIELDS}. Yield once.`;
    return `too much data in the calls of one step, at most ${MAX_STEP_CHARS} characters. Pass less at a time.`;
  }

  return {
    count(method, added) {
      requests += 1;
      if (method === "yield") yields += 1;
      chars += added;
      if (requests <= MAX_STEP_REQUESTS && yields <= MAX_STEP_YIELDS && chars <= MAX_STEP_CHARS) return;
      const found = refusal();
      excess ??= found;
      throw new RangeErrorConstructor(found);
    },
    excess: () => excess,
    startStep() {
      requests = 0;
      yields = 0;
      chars = 0;
    },
  };
}
