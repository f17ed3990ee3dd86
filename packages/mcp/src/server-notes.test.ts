import { expect, test } from "vitest";
import { decodeLog, decodeProgress } from "./server-notes.js";

test("MCP-14: progress keeps its numbers and its text on one line; what is none is left out", () => {
  expect(decodeProgress({ progress: 1, total: 4, message: "a\nb", more: 1 })).toEqual({
    type: "progress",
    progress: 1,
    total: 4,
    message: "a b",
  });
  expect(decodeProgress({ progress: 2, total: "4" })).toEqual({ type: "progress", progress: 2 });
  expect([undefined, 1, {}, { progress: "1" }].map(decodeProgress)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

const mask = (text: string): string => text.replaceAll("secret-value", "[hidden]");

test("SEC-04: what a server was configured with is hidden in what it logs", () => {
  const data = { token: "secret-value" };
  expect(decodeLog("s", { level: "info", logger: "db secret-value", data }, mask)).toEqual({
    server: "s",
    level: "info",
    logger: "db [hidden]",
    text: '{"token":"[hidden]"}',
  });
});

test("MCP-14: a log message is one bounded line, whatever its data are; what is none is left out", () => {
  expect(decodeLog("s", { level: "info", logger: "db", data: { a: 1 } }, mask)).toEqual({
    server: "s",
    level: "info",
    logger: "db",
    text: '{"a":1}',
  });
  expect(decodeLog("s", { level: "error", data: "x".repeat(9_000) }, mask)?.text.length).toBeLessThanOrEqual(2_000);
  expect([undefined, {}, { level: 1, data: 1 }, { level: "info" }].map((value) => decodeLog("s", value, mask))).toEqual(
    [undefined, undefined, undefined, undefined],
  );
});
