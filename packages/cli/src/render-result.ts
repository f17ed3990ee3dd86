import type { CodeModeOutput, CodeModeResult, NestedCallRecord } from "@codemode/protocol";
import { visibleText, type Colors } from "./terminal-text.js";

/** What the cell produced: its output items, then its value. A value of null is not shown behind output. */
export function renderOutput(result: CodeModeResult): string {
  const items = (result.output ?? []).map(shownItem);
  const isValueShown = result.status === "completed" && (result.value !== null || items.length === 0);
  const parts = isValueShown
    ? [...items, typeof result.value === "string" ? result.value : pretty(result.value)]
    : items;
  return parts.map((part) => `${part}\n`).join("");
}

function shownItem(item: CodeModeOutput): string {
  switch (item.type) {
    case "text":
      return item.text;
    case "json":
      return pretty(item.value);
    case "image":
      return `[${item.mimeType}, ${item.bytes} bytes]`;
  }
}

function pretty(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

/** What happened: nested calls with their times, warnings, and how the cell ended. */
export function renderReport(report: {
  readonly result: CodeModeResult;
  readonly calls: readonly NestedCallRecord[];
  readonly elapsedMs: number;
  readonly colors: Colors;
}): string {
  const { result, calls, elapsedMs, colors } = report;
  const lines = [
    ...renderCalls(calls, colors),
    ...(result.warnings ?? []).map((warning) => `${colors.yellow("warning")} ${visibleText(warning)}`),
    renderEnd(result, elapsedMs, colors),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function renderCalls(calls: readonly NestedCallRecord[], colors: Colors): string[] {
  const nameWidth = Math.min(48, Math.max(0, ...calls.map((call) => call.callableName.length)));
  return calls.map((call) => {
    const mark = { completed: colors.green, failed: colors.red, running: colors.yellow, unknown: colors.yellow }[
      call.status
    ];
    const took = call.durationMs === undefined ? "" : `${formatMs(call.durationMs)}, `;
    const times = colors.dim(`${took}started at ${formatMs(call.startedAtMs)}`);
    const error = call.error === undefined ? "" : `  ${visibleText(call.error).replace(/\s+/g, " ")}`;
    return `${mark(call.status.padEnd(9))} ${visibleText(call.callableName).padEnd(nameWidth)}  ${times}${error}`;
  });
}

function renderEnd(result: CodeModeResult, elapsedMs: number, colors: Colors): string {
  switch (result.status) {
    case "completed":
      return colors.dim(`completed in ${formatMs(elapsedMs)}${describeTiming(result)}`);
    case "waiting":
      return colors.yellow(`still waiting after ${formatMs(elapsedMs)}${describePending(result.pendingToolCalls)}`);
    case "failed": {
      const place =
        result.location === undefined ? "" : ` at line ${result.location.line}, column ${result.location.column}`;
      const code = result.code === undefined ? "" : ` (${result.code})`;
      return `${colors.red("failed")}${place}${code}: ${visibleText(result.error)}`;
    }
  }
}

function describeTiming({ telemetry }: CodeModeResult): string {
  const { timing, waitCount } = telemetry;
  const parts = [
    ...(timing === undefined
      ? []
      : [`${formatMs(timing.guestMs)} in the cell`, `${formatMs(timing.toolsMs)} waiting for tools`]),
    ...(waitCount === 0 ? [] : [`continued ${waitCount === 1 ? "once" : `${waitCount} times`} by wait`]),
  ];
  return parts.length === 0 ? "" : `: ${parts.join(", ")}`;
}

function describePending(pending: readonly { readonly name: string }[] = []): string {
  return pending.length === 0 ? "" : ` for ${pending.map((call) => visibleText(call.name)).join(", ")}`;
}

/** Milliseconds below a second, seconds above. */
function formatMs(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms).toString()} ms`;
}
