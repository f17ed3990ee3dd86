import { expect, test } from "vitest";
import { DEFAULT_LIMITS, resolveConfig } from "./resolve-config.js";
import { LIMIT_RANGES } from "./ranges.js";

test("ACT-09: the defaults are these", () => {
  expect(resolveConfig()).toEqual({
    enabled: false,
    runtime: "quickjs-wasi",
    mode: "only",
    languages: ["javascript", "typescript"],
    limits: DEFAULT_LIMITS,
  });
  expect(DEFAULT_LIMITS).toEqual({
    timeoutMs: 10_000,
    memoryLimitBytes: 67_108_864,
    maxOutputBytes: 65_536,
    maxSnapshotBytes: 10_485_760,
    maxPendingToolCalls: 16,
    overflow: "reject",
    maxToolResultBytes: 65_536,
    snapshotTtlSeconds: 900,
    maxSuspendedPerSession: 16,
    searchDefaultLimit: 8,
    maxSearchLimit: 50,
    maxSourceBytes: 262_144,
    watchdogGraceMs: 500,
    catalogIncludesMcp: false,
  });
});

test("ACT-09: every limit is clamped to its range", () => {
  for (const [name, { min, max }] of Object.entries(LIMIT_RANGES)) {
    const limits = (value: number) => resolveConfig({ [name]: value }).limits as unknown as Record<string, unknown>;
    expect([name, limits(-1)[name], limits(1e15)[name], limits(min + 0.9)[name]]).toEqual([name, min, max, min]);
  }
  expect(resolveConfig({ maxToolResultBytes: 1 }).limits.maxToolResultBytes).toBe(1_024);
  expect(resolveConfig({ maxToolResultBytes: 1e15 }).limits.maxToolResultBytes).toBe(67_108_864);
  expect(resolveConfig({ maxOutputBytes: 2_048 }).limits.maxToolResultBytes).toBe(2_048);
  expect(resolveConfig({ maxSearchLimit: 5 }).limits.searchDefaultLimit).toBe(5);
});

test("ACT-05: layers merge field by field, the last set one wins", () => {
  const config = resolveConfig({ enabled: true, timeoutMs: 500 }, "auto", undefined, { maxPendingToolCalls: 2 });
  expect([config.enabled, config.limits.timeoutMs, config.limits.maxPendingToolCalls]).toEqual(["auto", 500, 2]);
});

test("ACT-10: languages are a subset, in a fixed order", () => {
  expect(resolveConfig({ languages: ["typescript"] }).languages).toEqual(["typescript"]);
  expect(resolveConfig({ languages: ["typescript", "javascript"] }).languages).toEqual(["javascript", "typescript"]);
});

test.each([
  [
    { timeout: 5 },
    "codeMode.timeout",
    /^codeMode\.timeout: is not a field; known fields: catalogIncludesMcp, enabled, /,
  ],
  [{ timeoutMs: "5" }, "codeMode.timeoutMs", /^codeMode\.timeoutMs: must be a finite number, not "5"$/],
  [{ timeoutMs: Number.NaN }, "codeMode.timeoutMs", /^codeMode\.timeoutMs: must be a finite number, not NaN$/],
  [{ runtime: "v8" }, "codeMode.runtime", /^codeMode\.runtime: must be "quickjs-wasi", not "v8"$/],
  [{ mode: "both" }, "codeMode.mode", /^codeMode\.mode: must be "only", not "both"$/],
  [{ enabled: "yes" }, "codeMode.enabled", /^codeMode\.enabled: must be true or false or "auto", not "yes"$/],
  [
    { languages: [] },
    "codeMode.languages",
    /^codeMode\.languages: must be a list of at least one of javascript, typescript$/,
  ],
  [{ languages: ["python"] }, "codeMode.languages[0]", /must be "javascript" or "typescript", not "python"$/],
  [{ overflow: "drop" }, "codeMode.overflow", /^codeMode\.overflow: must be "reject" or "queue", not "drop"$/],
  [{ constructor: 1 }, "codeMode.constructor", /is not a field/],
  ["on", "codeMode", /^codeMode: must be true, false, "auto" or an object, not "on"$/],
  [[], "codeMode", /^codeMode: must be true, false, "auto" or an object, not an array$/],
])("ACT-09: %j is refused with its path", (layer, path, message) => {
  try {
    resolveConfig(layer as never);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({
      code: "invalid_argument",
      details: { path },
      message: expect.stringMatching(message) as string,
    });
  }
});
