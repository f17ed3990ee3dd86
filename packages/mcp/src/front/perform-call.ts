import { performance } from "node:perf_hooks";
import { CodeModeError, type CodeModeResult, type CodeModeRun } from "@codemode/core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { toCallResult, toErrorResult } from "./call-result.js";
import type { ActivityListener, CellActivity } from "./cell-activity.js";
import type { FrontHost } from "./front-host.js";
import type { QuestionRoute } from "./question-route.js";

/** Where a session's tool calls are made. */
export interface CallSetting {
  readonly host: FrontHost;
  /** Of the session, for events. */
  readonly number: number;
  readonly run: CodeModeRun;
  readonly activity: CellActivity;
}

/** One exec or wait. */
export interface FrontCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Its abort ends the cell with its nested calls. */
  readonly signal: AbortSignal;
  /** Told whenever the nested calls of the cell change. */
  readonly listener?: ActivityListener | undefined;
  /** How what its nested calls ask reaches the client. Default: along with a request that is under way. */
  readonly route?: QuestionRoute | undefined;
}

/** One exec or wait, with the activity of its cell. @throws what the run throws */
export async function performCall({ host, run, activity }: CallSetting, call: FrontCall): Promise<CodeModeResult> {
  const { name, input, signal, listener, route } = call;
  const toolCallId = host.newId();
  const runId = input["runId"];
  const active = activity.begin(toolCallId, {
    ...(typeof runId === "string" ? { runId } : {}),
    ...(listener === undefined ? {} : { listener }),
    ...(route === undefined ? {} : { route }),
  });
  let nextRunId: string | undefined;
  try {
    const result = await run.handleToolCall(name, input, { toolCallId, signal, onUpdate: active.update });
    if (!("status" in result)) throw new TypeError(`${name} gave no result.`);
    if (result.status === "waiting") nextRunId = result.runId;
    return result;
  } finally {
    active.end(nextRunId);
  }
}

/** What a client's tool call came to. */
export interface CallOutcome {
  readonly status: CodeModeResult["status"];
  /** Why it failed. Untrusted text, unbounded. */
  readonly error?: string;
  /** The answer to the client, with the pictures that the run still keeps. */
  answer(): CallToolResult;
}

/** Brings a tool call to its end, and tells the host. Whatever goes wrong is an outcome. */
export async function concludeCall(
  { host, number, run }: CallSetting,
  tool: string,
  work: () => Promise<CodeModeResult>,
): Promise<CallOutcome> {
  const startedAt = performance.now();
  const report = (status: CodeModeResult["status"], code?: string): void =>
    host.emit({
      type: "tool-call",
      session: number,
      tool,
      status,
      ...(code === undefined ? {} : { code }),
      durationMs: performance.now() - startedAt,
    });
  try {
    const result = await work();
    const { status } = result;
    report(status, status === "failed" ? result.code : undefined);
    return {
      status,
      ...(status === "failed" ? { error: result.error } : {}),
      answer: () => toCallResult(result, run),
    };
  } catch (fault) {
    const isKnown = CodeModeError.isInstance(fault);
    if (!isKnown) host.reportFault(fault);
    report("failed", isKnown ? fault.code : "internal_error");
    const answer = toErrorResult(fault);
    return { status: "failed", error: isKnown ? fault.message : "internal error", answer: () => answer };
  }
}
