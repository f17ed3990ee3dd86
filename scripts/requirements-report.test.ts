import { describe, expect, test } from "vitest";
import { checkRequirements, type RequirementStatus } from "./rules/requirement-status.js";
import { renderProblem } from "./workspace/problems.js";
import { readSourceTree } from "./workspace/source-tree.js";

describe("the real repository", () => {
  test("its status file says what its tests name", () => {
    expect(checkRequirements(readSourceTree()).map(renderProblem)).toEqual([]);
  });
});

function findings(status: Record<string, RequirementStatus>, testFile: string): string[] {
  const requirements = ["AAA-01", "AAA-02"].map((id) => ({ id, behaviour: "does it" }));
  const tree = new Map([
    ["docs/requirements.json", JSON.stringify(requirements)],
    ["docs/requirements-status.json", JSON.stringify(status)],
    ["packages/x/src/x.test.ts", testFile],
  ]);
  return checkRequirements(tree).map(renderProblem);
}

describe("status and test names", () => {
  test("agree when each named id is partial or proved and the rest is open", () => {
    expect(findings({ "AAA-01": "proved", "AAA-02": "open" }, `test("AAA-01: does it", () => {});`)).toEqual([]);
    const grouped = 'describe.each([1])(`AAA-01, AAA-02: %s`, () => { it("works", () => {}); });';
    expect(findings({ "AAA-01": "proved", "AAA-02": "partial" }, grouped)).toEqual([]);
  });

  test("an id called proved or partial needs a test that names it", () => {
    expect(findings({ "AAA-01": "proved", "AAA-02": "partial" }, `test("does it", () => {});`)).toEqual([
      "docs/requirements-status.json: calls AAA-01 proved, and no test names it",
      "docs/requirements-status.json: calls AAA-02 partial, and no test names it",
    ]);
  });

  test("a comment or a string in a test is no name", () => {
    expect(
      findings({ "AAA-01": "partial", "AAA-02": "open" }, `// AAA-01: x\ntest("does it", () => use("AAA-01: y"));`),
    ).toEqual(["docs/requirements-status.json: calls AAA-01 partial, and no test names it"]);
  });

  test("a test that names an unknown id is a finding", () => {
    expect(findings({ "AAA-01": "open", "AAA-02": "open" }, `\ntest("AAA-03: does it", () => {});`)).toEqual([
      "packages/x/src/x.test.ts:2: names AAA-03, which docs/requirements.json does not have",
    ]);
  });

  test("an open id that a test names is a finding, so is one the status file leaves out or makes up", () => {
    expect(findings({ "AAA-01": "open", "AAA-09": "open" }, `test("AAA-01: does it", () => {});`)).toEqual([
      "docs/requirements-status.json: calls AAA-01 open, and a test names it",
      "docs/requirements-status.json: leaves out AAA-02",
      "docs/requirements-status.json: has AAA-09, which docs/requirements.json does not have",
    ]);
  });
});
