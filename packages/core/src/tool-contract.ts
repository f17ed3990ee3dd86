import { compileSchema, type CompiledSchema } from "@codemode/json-schema";
import {
  describeValue,
  type JsonSchema,
  type NestedCall,
  type ToolDescriptor,
  type ToolOutcome,
} from "@codemode/protocol";
import { NestedCallError } from "./nested-call-error.js";

const MAX_PROBLEMS = 5;

/** Checks calls against what their tools declare. Each schema is compiled once. */
export interface ToolContract {
  /** MCP servers validate their own input. @throws {NestedCallError} `tool_input_invalid` */
  checkInput(call: NestedCall, tool: ToolDescriptor): void;
  /**
   * Compiles the output schema and returns the check of a result. Messages name places and rules of the schema, never
   * a value.
   *
   * @throws {NestedCallError} `tool_output_invalid`, now for an unsound schema, later for a result that does not match.
   */
  outputCheck(call: NestedCall, tool: ToolDescriptor): (outcome: ToolOutcome) => void;
}

export function createToolContract(): ToolContract {
  const compiled = new WeakMap<object, CompiledSchema>();

  function compile(schema: JsonSchema): CompiledSchema {
    if (typeof schema !== "object") return compileSchema(schema);
    const result = compiled.get(schema) ?? compileSchema(schema);
    compiled.set(schema, result);
    return result;
  }

  return {
    checkInput(call, tool) {
      if (call.source === "mcp") return;
      const schema = compile(tool.parameters);
      if (!schema.ok) {
        const problem = `${call.callableName} cannot be called: its parameters schema is invalid: ${schema.problem}`;
        throw new NestedCallError("tool_input_invalid", problem);
      }
      const verdict = schema.validator(call.input);
      if (verdict.ok) return;
      const problem = `Invalid input for ${call.callableName}: ${listed(verdict.problems)}`;
      throw new NestedCallError("tool_input_invalid", problem);
    },
    outputCheck(call, tool) {
      if (tool.outputSchema === undefined) return () => {};
      const schema = compile(tool.outputSchema);
      if (!schema.ok) {
        const problem = `${call.callableName} was not run: its output schema is invalid: ${schema.problem}`;
        throw new NestedCallError("tool_output_invalid", problem);
      }
      return (outcome) => {
        const verdict = schema.validator(outcome.details, { showsKeys: false });
        if (verdict.ok) return;
        const what = `${call.callableName} has run, but its result does not match its output schema`;
        throw new NestedCallError("tool_output_invalid", `${what}: ${listed(verdict.problems)}`);
      };
    },
  };
}

/** Whatever a tool or hook returned, as an outcome. @throws {NestedCallError} `tool_output_invalid` */
export function assertOutcome(outcome: unknown, call: NestedCall): ToolOutcome {
  if (typeof outcome === "object" && outcome !== null && "details" in outcome) return outcome as ToolOutcome;
  // The kind only: what a tool returned by mistake must not leak through an error.
  const kind = typeof outcome === "string" ? "a string" : describeValue(outcome);
  throw new NestedCallError("tool_output_invalid", `${call.callableName} did not return { details: ... } but ${kind}.`);
}

function listed(problems: readonly string[]): string {
  const shown = problems.slice(0, MAX_PROBLEMS).join(" ");
  return problems.length <= MAX_PROBLEMS ? shown : `${shown} (${problems.length - MAX_PROBLEMS} more)`;
}
