import { expect, test } from "vitest";
import { readRunArguments } from "./run-arguments.js";
import { shieldStdinArgument } from "./stdin-argument.js";

const defaults = {
  file: undefined,
  isStdinNamed: false,
  language: "javascript",
  mcpFile: undefined,
  isJson: false,
  timeoutMs: 300_000,
  startTimeoutMs: 15_000,
};
const [stdin] = shieldStdinArgument(["-"]);

test("the defaults", () => {
  expect(readRunArguments(undefined, { "--": [] })).toEqual(defaults);
});

test("every argument", () => {
  const options = { "--": [], mcp: "mcp.json", ts: true, json: true, timeout: 2_000, startTimeout: 100 };
  expect(readRunArguments("cell.js", options)).toEqual({
    file: "cell.js",
    isStdinNamed: false,
    language: "typescript",
    mcpFile: "mcp.json",
    isJson: true,
    timeoutMs: 2_000,
    startTimeoutMs: 100,
  });
});

test("a lone dash is standard input, names that look like numbers are names", () => {
  expect(readRunArguments(stdin, {})).toEqual({ ...defaults, isStdinNamed: true });
  expect(readRunArguments(7, { mcp: 8 })).toEqual({ ...defaults, file: "7", mcpFile: "8" });
  expect(readRunArguments(undefined, { "--": ["-odd.js"] })).toEqual({ ...defaults, file: "-odd.js" });
});

test.each(["a.ts", "a.mts", "a.cts"])("%s is TypeScript", (file) => {
  expect(readRunArguments(file, {}).language).toBe("typescript");
});

test.each([
  ["a.js", { "--": ["b.js"] }, 'only one file can be run, not also "b.js".'],
  [undefined, { mcp: ["a", "b"] }, "--mcp may be given only once."],
  [undefined, { mcp: false }, "--mcp needs the path of a file."],
  [undefined, { timeout: [1, 2] }, "--timeout may be given only once."],
  [
    undefined,
    { timeout: "soon" },
    '--timeout must be a whole number of milliseconds from 100 to 86400000, not "soon".',
  ],
  [undefined, { timeout: 99 }, "--timeout must be a whole number of milliseconds from 100 to 86400000, not 99."],
  [
    undefined,
    { startTimeout: 100.5 },
    "--start-timeout must be a whole number of milliseconds from 100 to 86400000, not 100.5.",
  ],
])("the arguments %j %j are refused", (file, options, message) => {
  expect(() => readRunArguments(file, options)).toThrow(expect.objectContaining({ code: "invalid_argument", message }));
});
