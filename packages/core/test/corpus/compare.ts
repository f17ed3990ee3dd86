import { isDeepStrictEqual } from "node:util";
import type { CodeModeResult } from "@codemode/protocol";
import type { ExpectedResult, Program } from "./programs.js";

const MAX_CHARS = 240;

/** A result without counters, random ids and sizes of VMs; long texts by their start and length. */
export function comparable({ telemetry: _, replaySafe: __, ...result }: CodeModeResult): object {
  const text = JSON.stringify(result, (key, value: unknown) => {
    if (key === "runId") return "cm_*";
    if (key === "pendingToolCalls") return (value as { name: string }[]).map(({ name }) => ({ id: "*", name }));
    if (typeof value !== "string") return value;
    if (value.length > MAX_CHARS) return `${value.slice(0, MAX_CHARS)}… (${value.length} characters)`;
    return value.replace(/^(CodeModeError: The cell holds) \d+/, "$1 *");
  });
  return JSON.parse(text) as object;
}

/** In what our result differs from what the corpus expects. */
export function differencesFrom(corpus: Program["expect"], { waiting, result }: ExpectedResult): string[] {
  const wanted = corpus.then ?? corpus;
  const got = result as { status: string; value?: unknown; error?: string; code?: string; output?: unknown };
  const differences: string[] = [];
  if ((corpus.status === "waiting") !== (waiting !== undefined) && corpus.then !== undefined)
    differences.push("waiting");
  if (got.status !== wanted.status) differences.push("status");
  if ("value" in wanted && !isDeepStrictEqual(got.value, wanted.value)) differences.push("value");
  if ("code" in wanted && got.code !== wanted.code) differences.push("code");
  if (!(got.error ?? "").includes(wanted.errorContains ?? "")) differences.push("error");
  if ("output" in wanted && !isDeepStrictEqual(got.output, wanted.output)) differences.push("output");
  return differences;
}
