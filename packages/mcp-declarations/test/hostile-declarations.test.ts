import fc from "fast-check";
import { expect, test } from "vitest";
import { renderMcpDeclarations } from "../src/index.js";
import { compile } from "./compile.js";
import { serverOf } from "./servers.js";

const TEXTS = [
  "*/ declare const x: any; /*",
  "a\nb\r\n\u2028c\u2029 @param x",
  '"quoted" `ticks` ${holes}',
  "\\",
  "\\*/",
  "*\u200B/",
  "\uD800 half",
  "\u202E rtl",
  "/// <reference path='x' />",
  "__proto__",
  "constructor",
  "#private",
  "new line\n",
  "",
  "123",
  "a-b",
  "delete",
];

const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: "binary", maxLength: 8 }));

/** JSON that looks like a schema wherever that can do harm. */
const schema = fc.letrec<{ schema: unknown }>((tie) => {
  const child = tie("schema");
  const children = fc.array(child, { maxLength: 3 });
  const map = fc.dictionary(text, child, { maxKeys: 3 });
  return {
    schema: fc.oneof(
      { depthSize: "small", maxDepth: 4 },
      fc.constantFrom<unknown>(true, false, {}, null, 7, "x", [], { type: "strin" }, { type: [] }, { $ref: "#" }),
      fc.constantFrom<unknown>(
        { type: ["string", "null"] },
        { type: "integer", minimum: -1.5e300 },
        { $ref: "#/$defs/a" },
      ),
      fc.record(
        {
          type: fc.constantFrom("object", "array", "string", "number", ["object", "null"], "nonsense"),
          properties: map,
          required: fc.oneof(fc.array(text, { maxLength: 3 }), fc.constant(true)),
          additionalProperties: child,
          patternProperties: map,
          description: text,
          default: fc.oneof(text, fc.constant({ a: [1, "*/"] })),
          nullable: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          anyOf: children,
          oneOf: children,
          allOf: children,
          enum: fc.array(fc.oneof(text, fc.integer(), fc.double(), fc.constantFrom(null, [1, {}], { "*/": "x" })), {
            maxLength: 4,
          }),
          const: fc.oneof(text, fc.double()),
          items: fc.oneof(child, children),
          prefixItems: children,
          minItems: fc.integer({ min: -1, max: 4 }),
          format: text,
          $defs: fc.record({ a: child }),
        },
        { requiredKeys: [] },
      ),
    ),
  };
}).schema;

test("MCP-05 MCP-07 MCP-09: whatever servers send, every declaration compiles", { timeout: 120_000 }, () => {
  const tool = fc.record({ name: text, description: text, inputSchema: schema, outputSchema: schema });
  const server = fc.tuple(text, fc.array(tool, { minLength: 1, maxLength: 40 }));
  const servers = fc.sample(fc.uniqueArray(server, { selector: ([name]) => name, minLength: 6, maxLength: 8 }), {
    seed: 42,
    numRuns: 6,
  });
  for (const described of servers) {
    const { files } = renderMcpDeclarations(described.map(([name, tools]) => serverOf(name, tools as never)));
    expect(compile(Object.fromEntries(files.map((file) => [file.path, file.content])))).toEqual([]);
  }
});

test("MCP-05: every reserved and every odd name gives declarations that compile", { timeout: 120_000 }, () => {
  const names = [
    ..."then toJSON valueOf catch class delete import await yield enum new typeof eval arguments undefined NaN".split(
      " ",
    ),
    ..."string number boolean any never unknown object symbol type declare module namespace abstract as async of".split(
      " ",
    ),
    ..."get set static let require global globalThis Promise Symbols name length call apply value resources".split(" "),
  ];
  const tools = names.map((name) => ({ name, inputSchema: { type: "object", properties: { [name]: {} } } }));
  const { files } = renderMcpDeclarations([
    serverOf("s", tools),
    ...names.map((name) => serverOf(name, tools.slice(0, 2))),
  ]);
  expect(compile(Object.fromEntries(files.map((file) => [file.path, file.content])))).toEqual([]);
});
