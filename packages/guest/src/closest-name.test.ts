import { expect, test } from "vitest";
import { closestName } from "./closest-name.js";

const NAMES = ["create_issue", "listIssues", "search_repos", "get", "x1", "searchCode"];

test.each([
  ["case and separators do not count", "createIssue", "create_issue"],
  ["nor do they in the candidate", "list-issues", "listIssues"],
  ["a letter too few", "creatIssue", "create_issue"],
  ["a letter too many", "searchRepoos", "search_repos"],
  ["two letters swapped and one wrong", "lsitIssuez", "listIssues"],
  ["a longer form", "searchRepositories", "search_repos"],
  ["a form that continues the name", "search_repos_by_name", "search_repos"],
  ["a name that is continued", "createIss", "create_issue"],
  ["a form that is too short", "sea", undefined],
  ["a form that shares too little", "searchReposAndIssuesAndMoreOfThem", undefined],
  ["nothing near", "deleteEverything", undefined],
  ["short names are not guessed", "got", undefined],
  ["a name without letters", "_", undefined],
])("%s", (_, name, expected) => {
  expect(closestName(name, NAMES)).toBe(expected);
});

test("forms can be left out", () => {
  expect(closestName("searchRepositories", NAMES, { allowsForms: false })).toBeUndefined();
});

test("the nearest wins, whatever the order", () => {
  expect(closestName("serachCode", ["searchCodes", "searchCode"])).toBe("searchCode");
  expect(closestName("serachCode", ["searchCode", "searchCodes"])).toBe("searchCode");
});

test("names of any length are compared", () => {
  expect(closestName("a".repeat(100_000), ["b".repeat(100_000)])).toBeUndefined();
});

test("ERR-04: it asks nothing of arrays that a cell may have replaced", () => {
  const original = Object.getOwnPropertyDescriptor(Array.prototype, Symbol.iterator) as PropertyDescriptor;
  Object.defineProperty(Array.prototype, Symbol.iterator, { ...original, value: undefined });
  let found: string | undefined;
  try {
    found = closestName("search", ["searchCode", "list"]);
  } finally {
    Object.defineProperty(Array.prototype, Symbol.iterator, original);
  }
  expect(found).toBe("searchCode");
});
