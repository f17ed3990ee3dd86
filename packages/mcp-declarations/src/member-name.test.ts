import { expect, test } from "vitest";
import { isReservedFunction, isReservedNamespace, memberName } from "./member-name.js";

test.each([
  ["create_issue", "createIssue"],
  ["chrome-devtools", "chromeDevtools"],
  ["API-get-user", "apiGetUser"],
  ["Google Sheets", "googleSheets"],
  ["GoogleSheets", "GoogleSheets"],
  ["bitable_v1_appTable_create", "bitableV1AppTableCreate"],
  ["io.github.upstash/context7", "ioGithubUpstashContext7"],
  ["@scope/server-everything", "scopeServerEverything"],
  ["foo1", "foo1"],
  ["_private", "_private"],
  ["2fa_enable", "2faEnable"],
  ["検索", "検索"],
  ["..", ".."],
  ["", ""],
])("%s is wanted as %s", (name, wanted) => {
  expect(memberName(name)).toBe(wanted);
});

test("what the language looks up by itself is never taken", () => {
  const looked = [
    "then",
    "toJSON",
    "valueOf",
    "toString",
    "constructor",
    "prototype",
    "__proto__",
    "delete",
    "await",
    "catch",
  ];
  expect(looked.filter((name) => !isReservedFunction(name) || !isReservedNamespace(name))).toEqual([]);
  expect(["$api", "resources", "prompts"].every(isReservedFunction)).toBe(true);
  expect(isReservedNamespace("index")).toBe(true);
});
