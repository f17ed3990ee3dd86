import { ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { CodeModeError } from "@codemode/protocol";
import { isConnectionLost } from "./connection-lost.js";
import { describeInvalidResult } from "./invalid-result.js";
import { oneLine } from "./one-line.js";
import type { SecretMask } from "./secret-mask.js";
import { SessionForgotten } from "./session-forgotten.js";

/** What is known of a session when something failed. */
export interface SessionState {
  /** Of the server, as configured. */
  readonly name: string;
  readonly isClosed: boolean;
  /** Why the server can be asked nothing more, as a clause; undefined while it can. */
  readonly loss: string | undefined;
  /** Whether the next request starts a lost server again. */
  readonly isRevivable: boolean;
  /** What the server showed of itself that may explain a failure; one line, empty when nothing. */
  readonly hints: string;
  /** For what the server says of a failure. */
  readonly mask: SecretMask;
}

/** How long a request may take, and the option that says so. */
export interface Patience {
  readonly ms: number;
  readonly option: "requestTimeoutMs" | "callTimeoutMs";
}

/** A request, as failures speak of it. */
export interface Asked {
  readonly method: string;
  /** Default: the method. */
  readonly subject?: string;
  readonly patience?: Patience | undefined;
}

/** Longest text of a refusal that is handed on, in characters: a model may correct its input by it. */
const MAX_REFUSAL_CHARS = 2_000;

/** Why a session can take no request; undefined when it can. */
export function unusableReason(state: SessionState, cause?: unknown): CodeModeError | undefined {
  if (state.isClosed) return closedFailure(state.name);
  if (state.loss === undefined) return undefined;
  const reason = describeLoss(state);
  const nextStep = state.isRevivable
    ? "What it held is lost; the next call connects to it again."
    : "Connect again to use it.";
  return serverFailure(state.name, {
    reason,
    message: `${labelOf(state.name)} is gone: ${reason}. ${nextStep}`,
    cause,
  });
}

export function closedFailure(server: string): CodeModeError<"closed"> {
  return new CodeModeError("closed", `${labelOf(server)} was closed.`, { what: "connection" });
}

/** Why a server is lost, with its own words; one line. Untrusted. */
export function describeLoss({ loss = "", hints }: SessionState): string {
  return hints === "" ? loss : `${loss}; ${hints}`;
}

/** What a rejection of the client comes down to, in the order of what says most. */
export function explainFailure(error: unknown, asked: Asked, state: SessionState): CodeModeError {
  const unusable = unusableReason(state, error);
  if (unusable !== undefined) return unusable;
  const { method, patience } = asked;
  if (patience !== undefined && isTimeout(error)) return outOfTime(asked, patience, { name: state.name, cause: error });
  const text = state.mask(textOf(error));
  const isRefusal = ProtocolError.isInstance(error);
  const reason = isRefusal ? `${oneLine(text, MAX_REFUSAL_CHARS)} (code ${error.code})` : oneLine(text);
  const verb = isRefusal ? "refused" : "did not answer";
  return serverFailure(state.name, {
    reason,
    message: `${labelOf(state.name)} ${verb} ${method}: ${reason}.`,
    cause: error,
  });
}

function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

function outOfTime(
  { method, subject = method }: Asked,
  { ms, option }: Patience,
  { name, cause }: { readonly name: string; readonly cause: unknown },
): CodeModeError {
  const reason = `${subject} gave neither an answer nor a sign of progress for ${ms} ms`;
  const advice = `It was told to cancel it and takes other requests; allow more time with ${option}, or ask for less.`;
  return serverFailure(name, { reason, message: `${labelOf(name)} is too slow: ${reason}. ${advice}`, cause });
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isInvalid = error instanceof SdkError && error.code === SdkErrorCode.InvalidResult;
  if (isInvalid) return describeInvalidResult(error.message);
  // What says most about a request that could not be sent is behind the error.
  const { code } = (error.cause ?? {}) as { code?: unknown };
  return typeof code === "string" ? `${error.message} (${code})` : error.message;
}

export function serverFailure(
  server: string,
  { reason, message, cause }: { reason: string; message: string; cause?: unknown },
): CodeModeError<"mcp_server_failed"> {
  return new CodeModeError("mcp_server_failed", message, { server, reason }, cause === undefined ? {} : { cause });
}

export function isServerFailure(error: unknown): error is CodeModeError<"mcp_server_failed"> {
  return CodeModeError.isInstance(error) && error.code === "mcp_server_failed";
}

/** Whether the server did nothing with the request, because it does not know the session. */
export function wasTurnedAway(error: unknown): boolean {
  return isServerFailure(error) && error.cause instanceof SessionForgotten;
}

/** Whether the server may go on with the request, because it was neither answered nor is the server gone. */
export function wasGivenUp(error: unknown): boolean {
  return isServerFailure(error) && (isTimeout(error.cause) || isConnectionLost(error.cause));
}

/** A server's name in a message. */
export function labelOf(server: string): string {
  return `MCP server ${JSON.stringify(server)}`;
}
