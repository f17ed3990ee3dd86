import { expect, test } from "vitest";
import { measureJson } from "./measure-json.js";

const BOUNDS = { maxDepth: 3, maxChars: 40 };

test("MCP-07: a value is measured up to its bounds, in any depth", () => {
  expect(measureJson({ ab: "cde", f: [1] }, BOUNDS)).toEqual({ chars: 4 * 4 + 2 + 3 + 1 });
  expect(measureJson({ a: { b: { c: 1 } } }, BOUNDS)).toEqual({ chars: 4 * 4 + 3 });
  expect(measureJson({ a: { b: { c: [] } } }, BOUNDS)).toEqual({ fault: "is nested more than 3 levels deep" });
  expect(measureJson(["x".repeat(40)], BOUNDS)).toEqual({ fault: "has more than 40 characters" });
  const bottomless: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  expect(measureJson(bottomless, { maxDepth: 1_000_000, maxChars: 1_000_000 })).toEqual({ chars: 400_000 });
});
