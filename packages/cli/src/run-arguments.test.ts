import { expect, test } from "vitest";
import { parseArguments } from "./parse-arguments.js";
import { readRunArguments, RUN_OPTIONS } from "./run-arguments.js";

const read = (...words: string[]) => readRunArguments(parseArguments(words, RUN_OPTIONS, "codemode run"));
const defaults = {
  file: undefined,
  isStdinNamed: false,
  language: "javascript",
  mcpFile: undefined,
  isJson: false,
  timeoutMs: 300_000,
  startTimeoutMs: 15_000,
  showsLogs: false,
};

test("the defaults", () => {
  expect(read()).toEqual(defaults);
});

test("every argument", () => {
  expect(
    read("--ts", "cell.js", "--mcp=mcp.json", "--json", "--timeout", "2000", "--start-timeout", "100", "--server-logs"),
  ).toEqual({
    file: "cell.js",
    isStdinNamed: false,
    language: "typescript",
    mcpFile: "mcp.json",
    isJson: true,
    timeoutMs: 2_000,
    startTimeoutMs: 100,
    showsLogs: true,
  });
});

test.each(["1e3", "007", "0x10", "-", "-7", "true"])("the path %j of a configuration stays as it is", (mcpFile) => {
  expect(read("--mcp", mcpFile)).toEqual({ ...defaults, mcpFile });
});

test("a lone dash is standard input, all other names are files", () => {
  expect(read("-")).toEqual({ ...defaults, isStdinNamed: true });
  expect(read("--", "-")).toEqual({ ...defaults, isStdinNamed: true });
  expect(read("007")).toEqual({ ...defaults, file: "007" });
  expect(read("--", "-odd.js")).toEqual({ ...defaults, file: "-odd.js" });
});

test.each(["a.ts", "a.mts", "a.cts", "a.tsx", "A.TS", "a.Mts"])("%s is TypeScript", (file) => {
  expect(read(file).language).toBe("typescript");
});

test.each(["a.js", "a.mjs", "ts", "a.ts.js"])("%s is JavaScript", (file) => {
  expect(read(file).language).toBe("javascript");
});

const time = "must be a whole number of milliseconds from 100 to 86400000";

test.each([
  [["a.js", "--", "b.js"], 'only one file can be run, not also "b.js".'],
  [[""], "the path of the source is empty; name a file, or - for standard input."],
  [["--mcp", ""], "--mcp needs the path of a file."],
  [["--timeout", "soon"], `--timeout ${time}, not "soon".`],
  [["--timeout", "99"], `--timeout ${time}, not "99".`],
  [["--timeout", "-5"], `--timeout ${time}, not "-5".`],
  [["--timeout", "1e3"], `--timeout ${time}, not "1e3".`],
  [["--timeout="], `--timeout ${time}, not "".`],
  [["--start-timeout", "100.5"], `--start-timeout ${time}, not "100.5".`],
])("the arguments %j are refused", (words, message) => {
  expect(() => read(...words)).toThrow(expect.objectContaining({ code: "invalid_argument", message }));
});
