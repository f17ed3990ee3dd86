import { expect, test } from "vitest";
import { readArguments as read } from "./read-arguments.js";

const readArguments = (args: readonly string[]) => read(args, ["a value", "yields"]);

test("no arguments mean a whole soak", () => {
  expect(readArguments([])).toEqual({ seed: 1, cells: 10_000, kinds: [] });
});

test("every option is read; a number of cells wins over quick", () => {
  expect(readArguments(["--quick"])).toEqual({ seed: 1, cells: 500, kinds: [] });
  const given = ["--quick", "--cells", "70", "--seed", "9", "--workers", "3", "--json", "out.json", "yields"];
  expect(readArguments(given)).toEqual({ seed: 9, cells: 70, workers: 3, kinds: ["yields"], jsonFile: "out.json" });
});

test.each([
  ["--cells", "0"],
  ["--cells", "many"],
  ["--seed", "-1"],
  ["--seed", "1.5"],
  ["--workers", "0"],
  ["--fast"],
  ["stray"],
])("%s %s is refused", (...given) => {
  expect(() => readArguments(given.filter((part) => part !== undefined))).toThrow(given[0] ?? "");
});
