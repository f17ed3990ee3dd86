import { describe, expect, test } from "vitest";
import type { McpNamespacePlan } from "../src/index.js";
import { renderMcpDeclarations } from "../src/index.js";
import { compile } from "./compile.js";
import { exampleInput, type ExampleSize } from "./example-input.js";
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

function callsOf(plan: McpNamespacePlan, size: ExampleSize): readonly string[] {
  return plan.functions.map(
    ({ name, tool }) => `void MCP.${plan.name}.${name}(${JSON.stringify(exampleInput(tool.inputSchema, size))});`,
  );
}

/** For each function with required properties, a call for each of them without it. */
function callsThatMiss(plan: McpNamespacePlan): readonly string[] {
  return plan.functions.flatMap(({ name, tool }) => {
    const example = exampleInput(tool.inputSchema, "required") as Record<string, unknown>;
    return requiredWithoutDefault(tool.inputSchema).map((missing) => {
      const { [missing]: _, ...others } = example;
      return `void MCP.${plan.name}.${name}(${JSON.stringify(others)});`;
    });
  });
}

/** Of the outermost object. A property with a default may be left out: the host fills it in. */
function requiredWithoutDefault(schema: unknown): readonly string[] {
  const { required = [], properties = {} } = schema as {
    required?: readonly string[];
    properties?: Record<string, { default?: unknown } | undefined>;
  };
  return required.filter((name) => properties[name]?.default === undefined);
}
