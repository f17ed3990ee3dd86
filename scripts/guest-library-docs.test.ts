import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { evaluateInCell } from "./rules/reserved-names.js";

const page = readFileSync(new URL("../docs/guest-library.md", import.meta.url), "utf8");

/** The text under a heading, up to the next heading of any level. */
function section(heading: string): string {
  const start = page.indexOf(`${heading}\n`);
  expect(start).toBeGreaterThanOrEqual(0);
  const text = page.slice(start + heading.length);
  const end = text.search(/\n#+ /);
  return end < 0 ? text : text.slice(0, end);
}

/** The cells of a section's table rows, without its head. */
function rows(heading: string): string[][] {
  const lines = section(heading).split("\n");
  return lines
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const codes = (text: string): string[] => Array.from(text.matchAll(/`([^`]+)`/g), ([, code = ""]) => code);

test("the page names every global of a cell, and no other", async () => {
  const [language = ""] = section("## The language").match(/Its globals: .*/) ?? [];
  const documented = [
    ...rows("## Globals of Codemode").flatMap(([names = ""]) => codes(names)),
    ...rows("## The guest library").flatMap(([names = ""]) => codes(names)),
    ...codes(language.replace(/\(.*?\)/, "")),
  ];
  const real = (await evaluateInCell("return Object.getOwnPropertyNames(globalThis);")) as string[];
  expect(documented.toSorted()).toEqual(real.toSorted());
});

test("the page names every member of the guest library, and no other", async () => {
  const real = (await evaluateInCell(`
    const inherent = ["length", "name", "prototype", "constructor"];
    const own = (value) => Object.getOwnPropertyNames(value).filter((name) => !inherent.includes(name));
    return ${JSON.stringify(rows("## The guest library").flatMap(([name = ""]) => codes(name)))}.map((name) => {
      const value = globalThis[name];
      return [name, [...own(value), ...(typeof value === "function" ? own(value.prototype ?? {}) : [])].sort()];
    });`)) as [string, string[]][];
  const documented = rows("## The guest library").map(([name = "", members = ""]) => [
    codes(name)[0],
    codes(members).toSorted(),
  ]);
  expect(documented).toEqual(real);
});

test("the methods that heed locales are the guest's own", async () => {
  const documented = rows("### Built-in methods that heed `locales`").flatMap(([holder = "", methods = ""]) =>
    codes(methods).map((method) => `${codes(holder)[0]}.${method}`),
  );
  const real = await evaluateInCell(`
    const holders = { Number, BigInt, Date, String, Array };
    return Object.entries(holders).flatMap(([name, { prototype }]) =>
      Object.getOwnPropertyNames(prototype).filter((key) => /locale/i.test(key)).map((key) => name + ".prototype." + key));`);
  expect(documented.toSorted()).toEqual((real as string[]).toSorted());
});

test("SEC-01, GUEST-05: what the page says is not there is not there, and its use says what the page says", async () => {
  const table = rows("## What is not there").flatMap(([globals = "", sentence = ""]) =>
    codes(globals).map((name) => [name, sentence] as const),
  );
  expect(table.length).toBeGreaterThan(40);
  const probe = ([name]: readonly [string, string]): string =>
    `(() => { try { return [typeof ${name}, ${name}]; } catch (error) { return [typeof ${name}, error.name, error.message]; } })()`;
  expect(await evaluateInCell(`return [${table.map(probe).join()}];`)).toEqual(
    table.map(([name, sentence]) => ["undefined", "ReferenceError", `${name} is not defined. ${sentence}`]),
  );
});
