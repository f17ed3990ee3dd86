import { expect, test } from "vitest";
import { createStepLimits } from "./step-limits.js";

const MANY = "too many requests in one step, at most 20000. Await calls and timers in groups.";
const MANY_YIELDS = "too many yields in one step, at most 1000. Yield once.";
const MUCH = "too much data in the calls of one step, at most 8388608 characters. Pass less at a time.";

function countAll(limits: ReturnType<typeof createStepLimits>, method: string, times: number, chars = 0): void {
  for (let time = 0; time < times; time++) limits.count(method, chars);
}

test("as many as are allowed are allowed in each step", () => {
  const limits = createStepLimits();
  for (let step = 0; step < 3; step++) {
    countAll(limits, "timer", 19_000);
    countAll(limits, "yield", 1_000);
    limits.startStep();
    limits.count("call", 8_388_608);
    limits.startStep();
  }
  expect(limits.excess()).toBe(undefined);
});

test.each([
  { what: "requests", method: "timer", allowed: 20_000, chars: 0, message: MANY },
  { what: "yields", method: "yield", allowed: 1_000, chars: 0, message: MANY_YIELDS },
  { what: "characters", method: "call", allowed: 8, chars: 1_048_576, message: MUCH },
])("too many $what are refused, and that is remembered", ({ method, allowed, chars, message }) => {
  const limits = createStepLimits();
  countAll(limits, method, allowed, chars);
  expect(() => limits.count(method, 1)).toThrow(new RangeError(message));
  limits.startStep();
  limits.count("call", 1);
  expect(limits.excess()).toBe(message);
});
