import { compileSchema } from "@codemode/json-schema";
import type { McpNamespacePlan } from "../src/index.js";
import { exampleInput, type ExampleSize } from "./example-input.js";

type PlannedFunction = McpNamespacePlan["functions"][number];

/** A call of each function with an input built from its schema. */
export function callsOf(plan: McpNamespacePlan, size: ExampleSize): readonly string[] {
  return plan.functions.map((planned) => call(plan, planned, exampleInput(planned.tool.inputSchema, size)));
}

/** For each function with required properties, a call for each of them without it. */
export function callsThatMiss(plan: McpNamespacePlan): readonly string[] {
  return plan.functions.flatMap((planned) => {
    const schema = planned.tool.inputSchema;
    const example = exampleInput(schema, "required") as Record<string, unknown>;
    return requiredWithoutDefault(schema).map((missing) => {
      const { [missing]: _, ...others } = example;
      return call(plan, planned, others);
    });
  });
}

/** What a validator has against the examples that `callsOf` uses, as `tool: problem`. */
export function exampleProblems(plan: McpNamespacePlan, size: ExampleSize): readonly string[] {
  return plan.functions.flatMap(({ tool }) => {
    const compiled = compileSchema(tool.inputSchema);
    if (!compiled.ok) return [`${tool.name}: ${compiled.problem}`];
    const outcome = compiled.validator(exampleInput(tool.inputSchema, size));
    return outcome.ok ? [] : outcome.problems.map((problem) => `${tool.name}: ${problem}`);
  });
}

function call(plan: McpNamespacePlan, { name }: PlannedFunction, input: unknown): string {
  return `void MCP.${plan.name}.${name}(${JSON.stringify(input)});`;
}

/** Of the outermost object. A property with a default may be left out: the host fills it in. */
function requiredWithoutDefault(schema: unknown): readonly string[] {
  const { required, properties = {} } = schema as {
    required?: unknown;
    properties?: Record<string, { default?: unknown } | undefined>;
  };
  const names = Array.isArray(required) ? (required as string[]) : [];
  return names.filter((name) => properties[name]?.default === undefined);
}
