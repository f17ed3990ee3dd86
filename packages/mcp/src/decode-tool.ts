import { describeValue, type McpToolDescriptor } from "@codemode/protocol";
import { isObject } from "./is-object.js";
import { measureJson } from "./measure-json.js";

/** Longest tool name that is taken, in characters. */
const MAX_NAME_CHARS = 512;
/** Longest description that is taken whole, in characters. */
const MAX_DESCRIPTION_CHARS = 64 * 1024;
/** Bounds of a schema that is taken: deeper ones overflow the stack of whatever reads them. */
const MAX_SCHEMA_DEPTH = 200;
const MAX_SCHEMA_CHARS = 1024 * 1024;

/** A tool of an untrusted list: usable, possibly with faults that cost it a schema, or unusable. */
export type DecodedTool =
  | {
      readonly type: "tool";
      readonly tool: McpToolDescriptor;
      readonly faults: readonly string[];
      /** Its size, about that of its JSON, in characters. */
      readonly chars: number;
    }
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
  const input = readSchema(inputSchema);
  if (input.fault !== undefined) faults.push(`inputSchema ${input.fault}; any input is accepted`);
  const output = isGiven(outputSchema) ? readSchema(outputSchema) : ABSENT;
  if (output.fault !== undefined) faults.push(`outputSchema ${output.fault}; it is left out`);
  if (isGiven(description) && typeof description !== "string") {
    faults.push(`description ${mismatch(description, "text")}; it is left out`);
  }
  const text = typeof description === "string" ? description : undefined;
  if (text !== undefined && text.length > MAX_DESCRIPTION_CHARS) {
    faults.push(`description has ${text.length} characters; it is cut after ${MAX_DESCRIPTION_CHARS}`);
  }
  const shown = text?.slice(0, MAX_DESCRIPTION_CHARS);
  const tool: McpToolDescriptor = {
    name,
    ...(shown === undefined ? {} : { description: shown }),
    inputSchema: input.schema ?? true,
    ...(output.schema === undefined ? {} : { outputSchema: output.schema }),
  };
  return { type: "tool", tool, faults, chars: name.length + (shown?.length ?? 0) + input.chars + output.chars };
}

interface ReadSchema {
  /** Undefined when it is not taken. */
  readonly schema: Record<string, unknown> | undefined;
  readonly fault: string | undefined;
  readonly chars: number;
}

const ABSENT: ReadSchema = { schema: undefined, fault: undefined, chars: 0 };

function readSchema(value: unknown): ReadSchema {
  if (!isObject(value)) return { ...ABSENT, fault: mismatch(value, "a JSON Schema") };
  const size = measureJson(value, { maxDepth: MAX_SCHEMA_DEPTH, maxChars: MAX_SCHEMA_CHARS });
  if (size.fault !== undefined) return { ...ABSENT, fault: size.fault };
  return { schema: value, fault: undefined, chars: size.chars };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function mismatch(value: unknown, expected: string): string {
  return value === undefined ? "is missing" : `is ${describeValue(value)} instead of ${expected}`;
}
