import { expect, test } from "vitest";
import { atLeast, atMost } from "./targets.js";

test("a target is met at its limit, missed past it, and not measured without a figure", () => {
  const bound = { text: "quick", limit: 5, unit: "ms" } as const;
  expect(atMost({ ...bound, actual: 5 })).toEqual({ ...bound, status: "met", actual: 5 });
  expect(atMost({ ...bound, actual: 5.1 })).toEqual({ ...bound, status: "missed", actual: 5.1 });
  expect(atLeast({ ...bound, actual: 5 })).toEqual({ ...bound, status: "met", actual: 5 });
  expect(atLeast({ ...bound, actual: 4.9 })).toEqual({ ...bound, status: "missed", actual: 4.9 });
  expect(atMost({ ...bound, actual: undefined })).toEqual({ ...bound, status: "not measured" });
  expect(atMost({ ...bound, actual: 1, limit: undefined })).toEqual({
    text: "quick",
    status: "not measured",
    actual: 1,
    unit: "ms",
  });
});
