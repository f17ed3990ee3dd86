import { shorten } from "@codemode/json-schema";
import type { JsonSchema } from "@codemode/protocol";
import type { CatalogEntry } from "./catalog-entry.js";

/** What a handle's `describe()` gives a guest. */
export interface ToolDescription {
  /** The tool's name as supplied. */
  readonly name: string;
  readonly callableName: string;
  readonly label?: string;
  readonly description: string;
  readonly source: string;
  readonly input?: string;
  readonly output?: string;
  /** The whole schema, as supplied. */
  readonly parameters: JsonSchema;
  /** Only of host tools: a client's claim is not trusted. */
  readonly outputSchema?: JsonSchema;
}

const MAX_DESCRIPTION_CHARS = 8_000;

/** Everything a guest may know of a tool, with its description up to 8,000 characters. Never the id. */
export function describeEntry(entry: CatalogEntry): ToolDescription {
  const { descriptor } = entry;
  const isTrusted = (descriptor.source ?? "host") === "host";
  return {
    name: descriptor.name,
    callableName: entry.callableName,
    ...(entry.label !== undefined ? { label: entry.label } : {}),
    description: shorten(String(descriptor.description ?? ""), MAX_DESCRIPTION_CHARS),
    source: entry.source,
    input: entry.input,
    ...(entry.output !== undefined ? { output: entry.output } : {}),
    parameters: descriptor.parameters,
    ...(isTrusted && descriptor.outputSchema !== undefined ? { outputSchema: descriptor.outputSchema } : {}),
  };
}
