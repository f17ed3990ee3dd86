import { shorten, typeHint } from "@codemode/json-schema";
import type { ToolDescriptor } from "@codemode/protocol";
import { assignNames, hexDigest, RESERVED_NAMES } from "./callable-name.js";
import type { Catalog } from "./catalog.js";
import type { CatalogEntry } from "./catalog-entry.js";
import { effectiveTools, type EffectiveTool } from "./effective-tools.js";
import { createSearchIndex } from "./search-index.js";

export interface CatalogOptions {
  /** What guests see as the source of host tools. Default `host`. */
  readonly hostLabel?: string;
  /** The catalog before: entries of the same descriptors are taken over, and so is what search has read of them. */
  readonly previous?: Catalog;
}

const INPUT_HINT = { maxChars: 300, maxProperties: 16, maxDepth: 4 };
const OUTPUT_HINT = { maxChars: 850, maxProperties: 20, maxDepth: 6, hasNotes: false };
const MAX_DESCRIPTION_CHARS = 300;
const MAX_LABEL_CHARS = 100;
const MAX_TOOL_NAME_CHARS = 256;

/**
 * Makes a catalog of a run's effective tools, given in precedence order.
 *
 * Client tools are untrusted: their schemas give no hints. Direct-only tools are set apart, control tools left out.
 *
 * @throws {CodeModeError} `invalid_argument` for a name that is no text, and for two tools with one id.
 */
export function buildCatalog(tools: readonly ToolDescriptor[], options: CatalogOptions = {}): Catalog {
  const { winners, omitted } = effectiveTools(tools);
  const cataloged = winners.filter(({ descriptor }) => descriptor.directOnly !== true);
  const names = assignNames(
    cataloged.map(({ id, descriptor }) => ({ id, name: descriptor.name })),
    { isReserved: (name) => RESERVED_NAMES.has(name) },
  );
  const hostLabel = options.hostLabel ?? "host";
  const entries = cataloged.map((tool) => {
    const callableName = names.get(tool.id) ?? "";
    return earlierEntry(tool, callableName, { ...options, hostLabel }) ?? entryOf(tool, callableName, hostLabel);
  });
  const byCallableName = new Map(entries.map((entry) => [entry.callableName, entry]));
  return Object.freeze({
    entries: Object.freeze(entries),
    directOnly: winners.filter(({ descriptor }) => descriptor.directOnly === true).map(({ descriptor }) => descriptor),
    omitted,
    fingerprint: fingerprintOf(entries),
    find: (callableName: string) => byCallableName.get(callableName),
    index: createSearchIndex(entries, options.previous?.index),
  });
}

function earlierEntry(
  { id, descriptor }: EffectiveTool,
  callableName: string,
  { previous, hostLabel }: CatalogOptions,
): CatalogEntry | undefined {
  const entry = previous?.find(callableName);
  const isSame = entry?.descriptor === descriptor && entry.id === id;
  return isSame && (entry.source === "client" || entry.source === hostLabel) ? entry : undefined;
}

function entryOf(tool: EffectiveTool, callableName: string, hostLabel: string): CatalogEntry {
  const { id, source, descriptor } = tool;
  const isHost = source === "host";
  const output = isHost ? outputHint(descriptor) : undefined;
  return Object.freeze({
    id,
    toolName: shorten(descriptor.name, MAX_TOOL_NAME_CHARS),
    callableName,
    source: isHost ? hostLabel : "client",
    ...(typeof descriptor.label === "string" ? { label: shorten(descriptor.label, MAX_LABEL_CHARS) } : {}),
    description: shorten(String(descriptor.description ?? ""), MAX_DESCRIPTION_CHARS),
    input: isHost ? typeHint(descriptor.parameters, INPUT_HINT).text : "unknown",
    ...(output !== undefined ? { output } : {}),
    descriptor,
  });
}

/** Only a complete hint of a closed shape: a partial one would invite guesses. */
function outputHint(descriptor: ToolDescriptor): string | undefined {
  if (descriptor.outputSchema === undefined) return undefined;
  const hint = typeHint(descriptor.outputSchema, OUTPUT_HINT);
  return hint.isComplete ? hint.text : undefined;
}

function fingerprintOf(entries: readonly CatalogEntry[]): string {
  const visible = entries.map(({ callableName, toolName, source, label, description, input, output }) => [
    callableName,
    toolName,
    source,
    label ?? null,
    description,
    input,
    output ?? null,
  ]);
  return hexDigest(JSON.stringify(visible));
}
