import { describe, expect, test } from "vitest";
import type { CompileOutcome } from "@codemode/protocol";
import { createCompileCache } from "./compile-cache.js";

function refused(message: string): CompileOutcome {
  return { type: "refused", message, code: "invalid_input" };
}

describe("the compile cache", () => {
  test("the least recently used entry goes first", () => {
    const cache = createCompileCache({ maxEntries: 2, maxChars: 1000 });
    cache.set("a", refused("1"));
    cache.set("b", refused("2"));
    cache.get("a");
    cache.set("c", refused("3"));
    expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([refused("1"), undefined, refused("3")]);
  });

  test("keys and results together stay within the characters", () => {
    const cache = createCompileCache({ maxEntries: 10, maxChars: 10 });
    cache.set("a", refused("1234"));
    cache.set("b", refused("1234"));
    expect(cache.get("a")).toEqual(refused("1234"));
    cache.set("a", refused("12345"));
    expect([cache.get("a"), cache.get("b")]).toEqual([refused("12345"), undefined]);
    cache.set("c", refused("1234567890"));
    expect([cache.get("a"), cache.get("c")]).toEqual([refused("12345"), undefined]);
  });

  test("a prepared source counts whole", () => {
    const cache = createCompileCache({ maxEntries: 10, maxChars: 10 });
    const source = { language: "typescript" as const, submitted: "123", code: "123", insertions: [] };
    cache.set("a", { type: "prepared", prepared: { ...source, sourceMap: "123" } });
    expect(cache.get("a")).toBeDefined();
    cache.set("a", { type: "prepared", prepared: { ...source, sourceMap: "1234" } });
    expect(cache.get("a")).toBeUndefined();
  });
});
