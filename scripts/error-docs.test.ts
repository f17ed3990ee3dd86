import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ERROR_CODES, type ErrorCodeRow } from "@codemode/protocol";
import { sections } from "./workspace/markdown.js";
import { repositoryRoot } from "./workspace/source-tree.js";

const folder = join(repositoryRoot, "docs", "errors");

describe("docs/errors", () => {
  test("there is one page per error code, and none besides", () => {
    const pages = readdirSync(folder).map((file) => file.replace(/\.md$/, ""));
    expect(pages.toSorted()).toEqual(Object.keys(ERROR_CODES).toSorted());
  });

  test.each(Object.entries(ERROR_CODES))("%s: its page says what the table of codes says", (code, row) => {
    const page = readFileSync(join(folder, `${code}.md`), "utf8");
    const found = sections(page);
    expect(found.map(({ heading }) => heading)).toEqual([
      `# \`${code}\``,
      "## What it means",
      "## Why it happens",
      "## What to do",
    ]);
    expect(found.filter(({ body }) => body === "")).toEqual([]);
    const [meaning, , , facts] = found[0]?.body.split("\n").filter((line) => line !== "") ?? [];
    expect({ meaning, facts: facts?.replaceAll(/\s+/g, " ") }).toEqual({ meaning: row.meaning, facts: factsOf(row) });
  });
});

function factsOf({ seenAs, isRetryable, runSurvives }: ErrorCodeRow): string {
  const where = { result: "in a result", thrown: "thrown", both: "in a result and thrown" }[seenAs];
  return `| ${where} | ${isRetryable ? "can help" : "does not help"} | ${runSurvives ? "survives" : "is gone"} |`;
}
