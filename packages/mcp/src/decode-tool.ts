import { describeValue, type McpToolDescriptor } from "@codemode/protocol";
import { isObject } from "./is-object.js";

/** Longest tool name that is taken, in characters. */
const MAX_NAME_CHARS = 512;

/** A tool of an untrusted list: usable, possibly with faults that cost it a schema, or unusable. */
export type DecodedTool =
  | { readonly type: "tool"; readonly tool: McpToolDescriptor; readonly faults: readonly string[] }
  | { readonly type: "unusable"; readonly fault: string };

/** Only a tool that cannot be named is unusable; a schema that is none is replaced by one that allows everything. */
export function decodeTool(value: unknown): DecodedTool {
  if (!isObject(value)) return { type: "unusable", fault: `is ${describeValue(value)} instead of an object` };
  const { name, description, inputSchema, outputSchema } = value;
  if (typeof name !== "string" || name === "") return { type: "unusable", fault: "has no name" };
  if (name.length > MAX_NAME_CHARS) {
    return { type: "unusable", fault: `has a name of ${name.length} characters; at most ${MAX_NAME_CHARS} are taken` };
  }
  const faults: string[] = [];
  if (!isObject(inputSchema)) faults.push(`inputSchema ${fault(inputSchema, "a JSON Schema")}; any input is accepted`);
  if (isGiven(outputSchema) && !isObject(outputSchema)) {
    faults.push(`outputSchema ${fault(outputSchema, "a JSON Schema")}; it is left out`);
  }
  if (isGiven(description) && typeof description !== "string") {
    faults.push(`description ${fault(description, "text")}; it is left out`);
  }
  const tool: McpToolDescriptor = {
    name,
    ...(typeof description === "string" ? { description } : {}),
    inputSchema: isObject(inputSchema) ? inputSchema : true,
    ...(isObject(outputSchema) ? { outputSchema } : {}),
  };
  return { type: "tool", tool, faults };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function fault(value: unknown, expected: string): string {
  return value === undefined ? "is missing" : `is ${describeValue(value)} instead of ${expected}`;
}
