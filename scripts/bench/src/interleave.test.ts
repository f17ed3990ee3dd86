import { expect, test } from "vitest";
import { interleave, type Contender, type InterleaveOptions } from "./interleave.js";

/** A clock that only contenders move: each repetition takes what the contender says. */
function createBench() {
  const log: string[] = [];
  let nowMs = 0;
  return {
    log,
    options(changed: Partial<InterleaveOptions> = {}): InterleaveOptions {
      const settle = () => Promise.resolve();
      return { warmUps: 0, maxSamples: 100, budgetMs: 30, turnMs: 1, now: () => nowMs, settle, ...changed };
    },
    contender(name: string, takesMs: number, failsAt = Infinity): Contender {
      let count = 0;
      return {
        name,
        open: async () => ({
          async measure() {
            if (++count >= failsAt) throw new Error(`${name} broke`);
            nowMs += takesMs;
            log.push(name);
            return takesMs;
          },
          async close() {
            log.push(`close ${name}`);
          },
        }),
      };
    },
  };
}

test("sides take turns, and every round starts with another one", async () => {
  const { contender, log, options } = createBench();
  const sides = [contender("a", 5), contender("b", 5), contender("c", 5)];
  expect(await interleave(sides, options())).toEqual([
    { name: "a", values: [5, 5] },
    { name: "b", values: [5, 5] },
    { name: "c", values: [5, 5] },
  ]);
  expect(log).toEqual(["a", "b", "c", "b", "c", "a", "close a", "close b", "close c"]);
});

test("a quick side repeats within its turn, and stops at the most samples", async () => {
  const { contender, options } = createBench();
  const samples = await interleave([contender("quick", 1), contender("slow", 10)], options({ turnMs: 4 }));
  expect(samples).toEqual([
    { name: "quick", values: new Array(12).fill(1) },
    { name: "slow", values: [10, 10, 10] },
  ]);
  const few = await interleave([contender("quick", 1)], options({ turnMs: 4, maxSamples: 3 }));
  expect(few).toEqual([{ name: "quick", values: [1, 1, 1] }]);
});

test("warm-ups are not counted, and every side has one turn whatever the budget", async () => {
  const { contender, log, options } = createBench();
  const samples = await interleave([contender("a", 50), contender("b", 50)], options({ warmUps: 1 }));
  expect(samples).toEqual([
    { name: "a", values: [50] },
    { name: "b", values: [50] },
  ]);
  expect(log).toEqual(["a", "b", "a", "b", "close a", "close b"]);
});

test("a side that fails says why, is closed, and the others go on", async () => {
  const { contender, log, options } = createBench();
  const closed: Contender = { name: "closed", open: () => Promise.reject(new Error("does not install here")) };
  const samples = await interleave([closed, contender("a", 10, 2), contender("b", 10)], options());
  expect(samples).toEqual([
    { name: "closed", unavailable: "does not install here" },
    { name: "a", unavailable: "a broke" },
    { name: "b", values: [10, 10] },
  ]);
  expect(log).toEqual(["a", "b", "b", "close a", "close b"]);
});
