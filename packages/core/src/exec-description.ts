import { quickIndex, type Catalog } from "@codemode/catalog";
import type { CellLanguage, CellLimits } from "@codemode/protocol";

export interface ExecDescriptionOptions {
  readonly catalog: Catalog;
  readonly hasMcp: boolean;
  readonly languages: readonly CellLanguage[];
  readonly limits: CellLimits;
}

/**
 * What the model is told of exec. Holds no text of any tool but names and trusted hints, and changes only when the
 * catalog or the limits do, so that prompt caches stay good.
 */
export function renderExecDescription(options: ExecDescriptionOptions): string {
  const index = quickIndex(options.catalog);
  const text = [intro(options.languages), ...rules(options, index !== "").map((rule) => `- ${rule}`)].join("\n");
  return index === "" ? text : `${text}\n\n${index}`;
}

function intro(languages: readonly CellLanguage[]): string {
  const names = languages.map((language) => (language === "javascript" ? "JavaScript" : "TypeScript")).join(" or ");
  return (
    `Run a ${names} program that calls tools. Write the body of an async function and return the result, or end with an expression. ` +
    "It runs alone in a VM: no import, require, network, files or process. What there is:"
  );
}

function rules({ limits, hasMcp }: ExecDescriptionOptions, hasTools: boolean): string[] {
  return [
    ...(hasTools ? toolRules() : []),
    ...(hasMcp ? [MCP_RULE] : []),
    `Await every call. Run independent calls together with Promise.all, at most ${limits.maxPendingToolCalls} at a time.`,
    "A failed call throws an Error with name, message and maybe code; catch it where you can go on. Nothing is " +
      "replayed: after a failure read `calls` in the result before you repeat anything.",
    "Values cross as JSON: undefined and NaN become null, Map and Set object and array, Date and BigInt text; promises in " +
      "the returned value are awaited. A tool takes one plain object.",
    "text(value), json(value) and console.log add output. Timers, URL, Intl (en-US, UTC), TextEncoder, structuredClone " +
      "and crypto.randomUUID are there. await yield_control(reason) hands control back to you.",
    'Status "waiting": call wait with the top-level runId of the result; the program goes on where it stopped. An id ' +
      "inside value is not a runId.",
    `Limits: ${seconds(limits.timeoutMs)} per exec or wait, then status is waiting; ` +
      `${kibibytes(limits.maxOutputBytes)} for value and output together; ${kibibytes(limits.maxToolResultBytes)} for ` +
      "one call's result. What is larger becomes { truncated: true, omittedBytes, guidance, sample?, prefix }: ask for less.",
  ];
}

function toolRules(): string[] {
  return [
    'The tools in the index below are async globals: const page = await read({ path: "a.md" }).',
    'Tools the index omits: await catalog.search("words", { limit }) gives callable handles, best first; ' +
      "catalog.all() gives all. await handle.describe() gives the full schema.",
    "A declared output may be used at once. Where the index says `-> ?`, return that call's value unchanged, read it, " +
      "and use its fields in a later exec.",
  ];
}

const MCP_RULE =
  "MCP tools are in no index: MCP.<server>.<tool>({ ... }) calls one and gives { content, structuredContent?, isError? }; " +
  "MCP.<server>.<tool>.value({ ... }) gives just the structured content, JSON or text of it and throws on isError. " +
  "image(block) shows you an image or audio block of a result. " +
  'await API.list("mcp") names declaration files, await API.read("mcp/<server>.d.ts") gives one: read it before the first call.';

function seconds(ms: number): string {
  return `${ms / 1_000} s`;
}

function kibibytes(bytes: number): string {
  return `${Math.floor(bytes / 1_024)} KiB`;
}
