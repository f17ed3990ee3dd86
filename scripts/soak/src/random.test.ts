import { expect, test } from "vitest";
import { createRandom } from "./random.js";

test("a seed gives the same numbers, another seed others", () => {
  const draw = (seed: number) =>
    Array.from(
      { length: 5 },
      (
        (random) => () =>
          random.whole(1, 1_000)
      )(createRandom(seed)),
    );
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

test("a fork does not depend on what was drawn before", () => {
  const [first, second] = [createRandom(7), createRandom(7)];
  first.fraction();
  expect(first.fork("a").fraction()).toBe(second.fork("a").fraction());
  expect(first.fork("a").fraction()).not.toBe(first.fork("b").fraction());
});

test("whole numbers keep their bounds and reach them; shuffling loses nothing", () => {
  const random = createRandom(1);
  const drawn = new Set(Array.from({ length: 200 }, () => random.whole(2, 5)));
  expect([...drawn].sort()).toEqual([2, 3, 4, 5]);
  expect(random.shuffled([1, 2, 3, 4, 5]).sort()).toEqual([1, 2, 3, 4, 5]);
});
