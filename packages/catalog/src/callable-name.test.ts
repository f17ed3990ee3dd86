import { Script } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assignNames, isSafeIdentifier, RESERVED_NAMES } from "./callable-name.js";
import { GUEST_GLOBALS, KEYWORDS } from "./reserved-names.js";

const isReserved = (name: string): boolean => RESERVED_NAMES.has(name);

/** Names for tools whose ids are `host:<name>`. */
function namesOf(...names: string[]): Record<string, string> {
  const assigned = assignNames(
    names.map((name) => ({ id: `host:${name}`, name })),
    { isReserved },
  );
  return Object.fromEntries(names.map((name) => [name, assigned.get(`host:${name}`) ?? ""]));
}

describe("assignNames", () => {
  test("NAME-01: safe names stay exact, others are made safe", () => {
    expect(namesOf("web_search", "$x", "_y", "llm-task", "9patch", "a.b/c d", "検索", "exec", "fetch", "")).toEqual({
      web_search: "web_search",
      $x: "$x",
      _y: "_y",
      "llm-task": "llm_task",
      "9patch": "tool_9patch",
      "a.b/c d": "a_b_c_d",
      検索: "__",
      exec: "exec",
      fetch: "fetch",
      "": "tool_",
    });
  });

  test("NAME-01: an exact name keeps its spelling; those that only become it get the start of their id's SHA-256", () => {
    expect(namesOf("llm_task", "llm-task", "llm.task")).toEqual({
      llm_task: "llm_task",
      "llm-task": "llm_task_b1e68a44",
      "llm.task": "llm_task_c5a20b8f",
    });
  });

  test("NAME-01: where nobody has the exact name, every collider is suffixed", () => {
    expect(namesOf("llm-task", "llm.task")).toEqual({
      "llm-task": "llm_task_b1e68a44",
      "llm.task": "llm_task_c5a20b8f",
    });
  });

  test("NAME-02: names that mean something to the language or the guest are callable under another", () => {
    expect(namesOf("toString", "__proto__", "constructor", "then", "catalog", "MCP", "await", "delete")).toEqual({
      toString: "toString_0b3ce415",
      ["__proto__"]: "__proto___36e52b20",
      constructor: "constructor_2bfcfb1a",
      then: "then_f529aa5c",
      catalog: "catalog_a39ff175",
      MCP: "MCP_e57f6ba4",
      await: "await_a3808c05",
      delete: "delete_864f8e6f",
    });
  });

  test("NAME-01: a suffix that is taken grows by two digits", () => {
    const taken = "llm_task_b1e68a44";
    expect(namesOf("llm-task", "llm.task", taken)).toEqual({
      "llm-task": "llm_task_b1e68a4402",
      "llm.task": "llm_task_c5a20b8f",
      [taken]: taken,
    });
  });

  test("NAME-01: a name of a million characters is cut and suffixed", () => {
    const [name] = Object.values(namesOf("x".repeat(1_000_000)));
    expect(name).toMatch(/^x{128}_[0-9a-f]{8}$/);
  });

  test("NAME-01: any names give distinct, safe, unreserved identifiers, in any order the same", () => {
    const name = fc.oneof(
      fc.constantFrom(
        "a-b",
        "a.b",
        "a_b",
        "a b",
        "delete",
        "then",
        "1a",
        "tool_1a",
        "",
        "é",
        "ü",
        ...KEYWORDS.slice(0, 5),
      ),
      fc.string({ unit: "binary", maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 12 }), (names) => {
        const assigned = namesOf(...names);
        const values = Object.values(assigned);
        expect(new Set(values).size).toBe(names.length);
        expect(values.every((value) => isSafeIdentifier(value) && !isReserved(value))).toBe(true);
        expect(namesOf(...names.reverse())).toEqual(assigned);
      }),
      { seed: 3, numRuns: 300 },
    );
  });

  test("a suggested name is wanted instead, and loses to an exact one", () => {
    const assigned = assignNames(
      [
        { id: "a", name: "create_issue", suggested: "createIssue" },
        { id: "b", name: "createIssue", suggested: "createIssue" },
        { id: "c", name: "list_issues", suggested: "listIssues" },
      ],
      { isReserved: () => false },
    );
    expect([...assigned].sort()).toEqual([
      ["a", "createIssue_ca978112"],
      ["b", "createIssue"],
      ["c", "listIssues"],
    ]);
  });

  test("MCP-12: a name given earlier stays with its id and passes to no other, also when its tool is gone", () => {
    const assigned = new Map([
      ["a", "createIssue"],
      ["gone", "listIssues"],
    ]);
    const names = assignNames(
      [
        { id: "a", name: "create-issue" },
        { id: "b", name: "createIssue" },
        { id: "c", name: "listIssues" },
      ],
      { isReserved: () => false, assigned },
    );
    expect([...names].sort()).toEqual([
      ["a", "createIssue"],
      ["b", "createIssue_3e23e816"],
      ["c", "listIssues_2e7d2c03"],
    ]);
  });
});

describe("reserved names", () => {
  test("NAME-01: the tables are frozen, sorted and free of doubles", () => {
    for (const table of [KEYWORDS, GUEST_GLOBALS]) {
      expect(Object.isFrozen(table)).toBe(true);
      expect([...table]).toEqual([...new Set(table)].sort());
    }
  });

  test("NAME-01: every keyword is one, and no other name of this engine is missing", () => {
    const cannotBind = (name: string): boolean => {
      try {
        new Script(`"use strict"; async function f() { const ${name} = 1; }`);
        return false;
      } catch {
        return true;
      }
    };
    expect(KEYWORDS.filter((name) => !cannotBind(name))).toEqual([]);
    const standard = Object.getOwnPropertyNames(Object.prototype);
    expect([...standard, "Array", "globalThis", "undefined"].filter((name) => !isReserved(name))).toEqual([]);
  });
});
