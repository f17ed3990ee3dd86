import { describe, expect, test } from "vitest";
import { renderMcpDeclarations } from "../src/index.js";
import { callsOf, callsThatMiss, exampleProblems } from "./calls.js";
import { compile } from "./compile.js";
import { catalogsFolder, readCatalogs, SKIP_MESSAGE } from "./servers.js";

const TIMEOUT_MS = 120_000;

describe.skipIf(catalogsFolder === undefined)(`recorded catalogs${catalogsFolder ? "" : ` (${SKIP_MESSAGE})`}`, () => {
  const servers = catalogsFolder === undefined ? [] : readCatalogs(catalogsFolder);
  const { files, namespaces, problems } = renderMcpDeclarations(servers);
  const contents = Object.fromEntries(files.map((file) => [file.path, file.content]));

  test("MCP-05: all declarations compile together under --strict", { timeout: TIMEOUT_MS }, () => {
    expect(compile(contents)).toEqual([]);
  });

  test("MCP-05: every file compiles alone", { timeout: TIMEOUT_MS }, () => {
    const errors = files.flatMap((file) => compile({ [file.path]: file.content }));
    expect(errors).toEqual([]);
  });

  test("MCP-05: the examples are valid by their schemas", () => {
    const found = namespaces.flatMap((plan) => [
      ...exampleProblems(plan, "required"),
      ...exampleProblems(plan, "everything"),
    ]);
    expect(found).toEqual([]);
  });

  test("MCP-05: call examples built from the schemas type-check", { timeout: TIMEOUT_MS }, () => {
    const calls = namespaces.flatMap((plan) =>
      (["required", "everything"] as const).flatMap((size) => callsOf(plan, size)),
    );
    expect(calls.length).toBeGreaterThan(500);
    expect(compile({ ...contents, "calls.ts": calls.join("\n") })).toEqual([]);
  });

  test("MCP-05: a call that misses a required property does not type-check", { timeout: TIMEOUT_MS }, () => {
    const calls = namespaces.flatMap(callsThatMiss);
    expect(calls.length).toBeGreaterThan(300);
    const places = compile({ ...contents, "calls.ts": calls.join("\n") }).map((error) => error.replace(/:.*/s, ""));
    expect(new Set(places)).toEqual(new Set(calls.map((_, index) => `calls.ts(${index + 1})`)));
  });

  test("MCP-07: no schema of a real server is found bad", () => {
    expect(problems).toEqual([]);
  });
});
