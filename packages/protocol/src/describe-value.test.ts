import { expect, test } from "vitest";
import { describeValue } from "./describe-value.js";

function revoked<Target extends object>(target: Target): Target {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

const throwing = new Proxy(
  {},
  {
    get() {
      throw new Error("trap");
    },
    getPrototypeOf() {
      throw new Error("trap");
    },
  },
);

test.each([
  ["a revoked proxy", revoked({}), "an object"],
  ["a revoked proxy of an array", revoked([]), "an object"],
  ["a revoked proxy of a function", revoked(() => {}), "a function"],
  ["a proxy whose traps throw", throwing, "an object"],
  ["a text of 200 MB", "\u0000".repeat(200_000_000), `"${"\\u0000".repeat(33)}…`],
  ["a bigint of a million digits", 10n ** 1_000_000n, "a large bigint"],
  ["a negative one", -(10n ** 1_000_000n), "a large bigint"],
  ["a small bigint", -12n, "-12"],
  ["an array", [1], "an array"],
  ["nothing", undefined, "undefined"],
])("%s is described without being run", (_name, value, expected) => {
  expect(describeValue(value)).toBe(expected);
});
