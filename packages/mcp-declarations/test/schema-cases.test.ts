import { readFileSync } from "node:fs";
import type { McpServerDescriptor, McpToolDescriptor } from "@codemode/protocol";
import { describe, expect, test } from "vitest";
import { renderMcpDeclarations, type McpNamespacePlan } from "../src/index.js";
import { callsOf, callsThatMiss, exampleProblems } from "./calls.js";
import { compile } from "./compile.js";
import { schemaCasesFile, serverOf, SKIP_MESSAGE } from "./servers.js";

interface SchemaCase {
  readonly id: string;
  readonly input: {
    readonly server?: string;
    readonly servers?: readonly string[] | Readonly<Record<string, readonly string[]>>;
    readonly tools?: readonly (string | { readonly name: string })[];
    readonly description?: string;
    readonly inputSchema?: unknown;
    readonly outputSchema?: unknown;
    readonly js?: string;
  };
}

const TIMEOUT_MS = 120_000;
const EMPTY = { type: "object" };

describe.skipIf(schemaCasesFile === undefined)(`schema cases${schemaCasesFile ? "" : ` (${SKIP_MESSAGE})`}`, () => {
  const cases: readonly SchemaCase[] =
    schemaCasesFile === undefined ? [] : (JSON.parse(readFileSync(schemaCasesFile, "utf8")) as SchemaCase[]);
  const rendered = cases.map((one) => ({ id: one.id, ...renderMcpDeclarations(serversOf(one)) }));

  test("MCP-05: every case is rendered, and its declarations compile", { timeout: TIMEOUT_MS }, () => {
    expect(rendered.length).toBeGreaterThan(50);
    const errors = rendered.flatMap(({ id, files }) => compile(contentsOf(files)).map((error) => `${id}: ${error}`));
    expect(errors).toEqual([]);
  });

  test("MCP-05: the examples are valid by their schemas, where the schemas are sound", () => {
    const found = rendered.flatMap(({ namespaces }) => namespaces.flatMap((plan) => exampleProblems(plan, "required")));
    const unusable = (id: string, problem: string): string => `${id}: The schema cannot be used: ${problem}.`;
    expect(found).toEqual([
      unusable("ref-alias-loop", "/properties/a refers to itself without going into the value"),
      unusable("ref-external-or-missing", "/properties/x/$ref names nothing inside the schema"),
      unusable("ref-proto-pointer", "/properties/x/$ref names nothing inside the schema"),
      unusable("enum-as-type-string-null", "/properties/u/type must be a JSON Schema type name, or a list of them"),
      unusable("required-malformed", "/required must be a list of property names"),
      unusable("format-and-pattern-lookaround", "/properties/bad/pattern is not a valid regular expression"),
    ]);
  });

  test("MCP-05: examples built from the schemas type-check", { timeout: TIMEOUT_MS }, () => {
    // Not every property of these schemas can have a value; an example of all of them counts where it is valid.
    const isValid = (plan: McpNamespacePlan): boolean => exampleProblems(plan, "everything").length === 0;
    expect(rendered.filter(({ namespaces }) => namespaces.every(isValid)).length).toBeGreaterThan(40);
    const errors = rendered.flatMap(({ id, files, namespaces }) => {
      const calls = namespaces.flatMap((plan) => [
        ...callsOf(plan, "required"),
        ...(isValid(plan) ? callsOf(plan, "everything") : []),
      ]);
      return compile({ ...contentsOf(files), "calls.ts": calls.join("\n") }).map((error) => `${id}: ${error}`);
    });
    expect(errors).toEqual([]);
  });

  test("MCP-05: a call that misses a required property does not type-check", { timeout: TIMEOUT_MS }, () => {
    const accepted = rendered.flatMap(({ files, namespaces }) =>
      namespaces
        .flatMap(callsThatMiss)
        .filter((call) => compile({ ...contentsOf(files), "calls.ts": call }).length === 0),
    );
    expect(accepted).toEqual([]);
    expect(rendered.flatMap(({ namespaces }) => namespaces.flatMap(callsThatMiss)).length).toBeGreaterThan(0);
  });
});

function contentsOf(files: readonly { readonly path: string; readonly content: string }[]): Record<string, string> {
  return Object.fromEntries(files.map(({ path, content }) => [path, content]));
}

/** The servers that a case describes. One about a schema alone is a server with a tool of the case's name. */
function serversOf({ id, input }: SchemaCase): readonly McpServerDescriptor[] {
  const { server = "cases", servers, tools, description, inputSchema = EMPTY, outputSchema } = input;
  if (servers !== undefined) {
    const named = isList(servers) ? servers.map((name) => [name, ["run"]] as const) : Object.entries(servers);
    return named.map(([name, names]) => serverOf(name, names.map(emptyTool)));
  }
  if (tools !== undefined) {
    return [
      serverOf(
        server,
        tools.map((tool) => emptyTool(typeof tool === "string" ? tool : tool.name)),
      ),
    ];
  }
  const tool = { name: id, inputSchema: input.js === undefined ? inputSchema : cyclicSchema() };
  return [
    serverOf(server, [
      {
        ...tool,
        ...(description === undefined ? {} : { description }),
        ...(outputSchema === undefined ? {} : { outputSchema }),
      } as McpToolDescriptor,
    ]),
  ];
}

function isList(servers: NonNullable<SchemaCase["input"]["servers"]>): servers is readonly string[] {
  return Array.isArray(servers);
}

function emptyTool(name: string): McpToolDescriptor {
  return { name, inputSchema: EMPTY };
}

/** What the case with a program builds: an object schema that is its own property. */
function cyclicSchema(): unknown {
  const node = { type: "object", properties: {} as Record<string, unknown> };
  node.properties["child"] = node;
  return node;
}
