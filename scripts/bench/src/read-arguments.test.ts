import { expect, test } from "vitest";
import { readArguments } from "./read-arguments.js";

const known = ["P1", "P2"];

test("no arguments mean a full run of everything", () => {
  expect(readArguments([], known)).toEqual({ isQuick: false, ids: [] });
});

test("quick, JSON and ids are read", () => {
  expect(readArguments(["--quick", "--json", "out.json", "P2"], known)).toEqual({
    isQuick: true,
    jsonFile: "out.json",
    ids: ["P2"],
  });
});

test("unknown ids and options are refused", () => {
  expect(() => readArguments(["P3"], known)).toThrow(new Error('Unknown work "P3". Use some of: P1, P2.'));
  expect(() => readArguments(["--fast"], known)).toThrow(/--fast/);
});
