import { randomUUID } from "node:crypto";
import type { CodeMode } from "@codemode/core";
import type { CellLanguage, CodeModeResult, McpServerDescriptor, NestedCallRecord } from "@codemode/protocol";

export interface CellRequest {
  readonly source: string;
  readonly language: CellLanguage;
  readonly servers: readonly McpServerDescriptor[];
  /** For the cell, waits included, in ms. */
  readonly timeoutMs: number;
  /** Ends the cell early. */
  readonly signal: AbortSignal;
}

export interface CellOutcome {
  /** The last result; `waiting` only when the time passed between two waits. */
  readonly result: CodeModeResult;
  readonly calls: readonly NestedCallRecord[];
  /** What was wrong with names and schemas of MCP tools. */
  readonly mcpProblems: readonly { readonly server: string; readonly tool?: string; readonly problem: string }[];
  readonly isOutOfTime: boolean;
}

/** Runs one cell to its end: a result that says `waiting` is waited for, until the time has passed. */
export async function runCell(codeMode: Pick<CodeMode, "openRun">, request: CellRequest): Promise<CellOutcome> {
  const outOfTime = new AbortController();
  const timer = setTimeout(
    () => outOfTime.abort(new Error(`the time limit of ${request.timeoutMs} ms has passed`)),
    request.timeoutMs,
  );
  const signal = AbortSignal.any([request.signal, outOfTime.signal]);
  await using run = codeMode.openRun({ scope: { agentRunId: randomUUID() }, tools: [], mcp: request.servers });
  try {
    let result = await run.exec({ code: request.source, language: request.language }, { signal });
    while (result.status === "waiting" && !signal.aborted) result = await run.wait({ runId: result.runId }, { signal });
    const isOutOfTime = outOfTime.signal.aborted && result.status !== "completed";
    return { result, calls: run.trajectory(), mcpProblems: run.mcpProblems, isOutOfTime };
  } finally {
    clearTimeout(timer);
  }
}
