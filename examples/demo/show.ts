import type { CodeModeResult, CodeModeRun, NestedCallRecord } from "@codemode/core";
import pc from "picocolors";

const MAX_VALUE_CHARS = 600;

export function heading(text: string): void {
  console.log(`\n${pc.bold(pc.cyan(text))}`);
}

export function source(code: string): void {
  for (const line of code.trim().split("\n")) console.log(pc.dim(`  | ${line}`));
}

/** Prints one result with its output and the nested calls made since `from`. */
export function result(label: string, outcome: CodeModeResult, elapsedMs: number): void {
  console.log(`  ${label}: ${statusText(outcome)} ${pc.dim(`in ${elapsedMs.toFixed(1)} ms`)}`);
  for (const item of outcome.output ?? []) {
    console.log(
      `  output: ${item.type === "text" ? item.text : JSON.stringify(item.type === "json" ? item.value : item)}`,
    );
  }
  if (outcome.status === "completed") console.log(`  value: ${shorten(JSON.stringify(outcome.value))}`);
  if (outcome.status === "failed") console.log(`  error: ${outcome.error}`);
  if (outcome.status === "waiting") {
    console.log(
      `  runId: ${outcome.runId}, pending: ${(outcome.pendingToolCalls ?? []).map((call) => call.name).join(", ")}`,
    );
  }
}

export function calls(run: CodeModeRun, from: number): void {
  for (const call of run.trajectory().slice(from)) console.log(pc.dim(`  call ${callText(call)}`));
}

function callText(call: NestedCallRecord): string {
  const duration = call.durationMs === undefined ? "" : ` ${call.durationMs.toFixed(1)} ms`;
  return `${call.callableName.padEnd(44)} ${call.status}${duration}`;
}

function statusText(outcome: CodeModeResult): string {
  if (outcome.status === "completed") return pc.green("completed");
  return outcome.status === "waiting" ? pc.yellow(`waiting (${outcome.reason})`) : pc.red("failed");
}

function shorten(text: string): string {
  return text.length <= MAX_VALUE_CHARS ? text : `${text.slice(0, MAX_VALUE_CHARS)}…`;
}
