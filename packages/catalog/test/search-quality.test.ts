import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ToolDescriptor } from "@codemode/protocol";
import { describe, expect, test } from "vitest";
import { buildCatalog, searchCatalog } from "../src/index.js";

interface Question {
  readonly query: string;
  readonly expect: readonly string[];
}

const repository = resolve(import.meta.dirname, "../../..");
const folder = [process.env["CODEMODE_CASES"], join(repository, "../shared/cases")]
  .filter((candidate) => candidate !== undefined)
  .map((candidate) => join(candidate, "search"))
  .find((candidate) => existsSync(candidate));
const title = folder === undefined ? " (no search data: set CODEMODE_CASES to a folder that has search/)" : "";

describe.skipIf(folder === undefined)(`user questions over a large catalog${title}`, () => {
  test("CAT-01: every expected tool is among the first 8 for at least 90 % of the questions", () => {
    const tools = read("catalog.json") as readonly Omit<ToolDescriptor, "execute">[];
    const questions = read("queries.json") as readonly Question[];
    const catalog = buildCatalog(tools.map((tool) => ({ ...tool, execute: () => ({ details: null }) })));
    const answered = questions.filter(({ query, expect: expected }) => {
      const found = searchCatalog(catalog, query, { limit: 8 }).map((entry) => entry.toolName);
      return expected.every((name) => found.includes(name));
    });
    expect(answered.length / questions.length).toBeGreaterThanOrEqual(0.9);
  });
});

function read(file: string): unknown {
  return JSON.parse(readFileSync(join(folder ?? "", file), "utf8"));
}
