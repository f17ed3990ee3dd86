import { expect, test } from "vitest";
import { parseArguments } from "./parse-arguments.js";

const options = {
  file: { value: "path", description: "A file" },
  loud: { short: "l", description: "A flag" },
  quick: { short: "q", description: "Another flag" },
};
const parse = (...words: string[]) => parseArguments(words, options, "codemode x");

test("options and other arguments come in any order and stay as they were written", () => {
  const expected = { positionals: ["a", "-", "1e3", ""], flags: new Set(["loud"]), values: new Map([["file", "007"]]) };
  expect(parse("a", "-", "1e3", "", "--loud", "--file", "007")).toEqual(expected);
  expect(parse("--file=007", "-l", "a", "-", "1e3", "")).toEqual(expected);
});

test("short flags may stand together, and nothing behind two dashes is an option", () => {
  expect(parse("-lq", "--", "--file", "--")).toEqual({
    positionals: ["--file", "--"],
    flags: new Set(["loud", "quick"]),
    values: new Map(),
  });
});

test.each(["", "-", "-5", "1e3"])("the value %j is a value", (value) => {
  expect(parse("--file", value).values).toEqual(new Map([["file", value]]));
  expect(parse(`--file=${value}`).values).toEqual(new Map([["file", value]]));
});

const behindDashes = ", and a file of that name comes behind --";

test.each([
  [["--bogus"], 'there is no option "--bogus"; see codemode x --help.'],
  [["--bogus=secret"], 'there is no option "--bogus"; see codemode x --help.'],
  [["--no-loud"], 'there is no option "--no-loud"; see codemode x --help.'],
  [["--__proto__", "x"], 'there is no option "--__proto__"; see codemode x --help.'],
  [["--constructor", "x"], 'there is no option "--constructor"; see codemode x --help.'],
  [["-x"], `there is no option "-x"; see codemode x --help${behindDashes}.`],
  [["a", "-lash.js"], `there is no option "-lash.js"; see codemode x --help${behindDashes}.`],
  [["--loud", "--loud"], "--loud may be given only once."],
  [["-l", "--loud"], "--loud may be given only once."],
  [["--file", "a", "--file", "b"], "--file may be given only once."],
  [["--loud=yes"], "--loud takes no value."],
  [["--file"], "--file needs a value."],
  [["--file", "--loud"], "--file needs a value; one that starts with a dash is written --file=--loud."],
])("the arguments %j are refused", (words, message) => {
  expect(() => parse(...words)).toThrow(expect.objectContaining({ code: "invalid_argument", message }));
});
