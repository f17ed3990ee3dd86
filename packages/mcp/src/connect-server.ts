import { stat } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import { ProtocolError } from "@modelcontextprotocol/client";
import { describeValue, type CodeModeError, type McpServerDescriptor } from "@codemode/protocol";
import { listTools, type FetchPage, type ToolList } from "./list-tools.js";
import { createHttpLink } from "./http-link.js";
import type { McpServerConfig, StdioServerConfig } from "./mcp-config.js";
import { oneLine } from "./one-line.js";
import type { McpLimits } from "./options.js";
import type { McpServerProblem } from "./problem.js";
import type { ProcessGuard } from "./process-guard.js";
import { describeServer } from "./server-descriptor.js";
import { decodeLog, type McpLogEntry } from "./server-notes.js";
import { createStdioLink } from "./server-link.js";
import { startServerProcess, type ServerProcess } from "./server-process.js";
import { createServerQuestions, type ServerQuestions } from "./server-questions.js";
import { createServerSession, type ServerSession } from "./server-session.js";
import { describeEnd, isServerFailure, labelOf, serverFailure, unusableReason } from "./session-failures.js";
import { watchToolList } from "./tool-list-watch.js";

/** JSON-RPC's code for a method the other side does not have. */
const METHOD_NOT_FOUND = -32601;

/** Least time between two readings of a tool list that changes, in ms. */
const MIN_RELIST_INTERVAL_MS = 200;

/** A server that is up and listed. Owned: `close` it. */
export interface ConnectedServer {
  /** Another one once its tools changed. */
  descriptor(): McpServerDescriptor;
  /** What is wrong with its tools as they are now. */
  problems(): readonly McpServerProblem[];
  /** Undefined once the process is gone. */
  processId(): number | undefined;
  close(): Promise<void>;
}

export interface ConnectServerOptions {
  readonly limits: McpLimits;
  readonly guard: ProcessGuard;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly onLog: ((entry: McpLogEntry) => void) | undefined;
  /** Whether servers may ask questions. */
  readonly elicitation: boolean;
  /** The caller's; undefined when it cannot change its mind. */
  readonly signal: AbortSignal | undefined;
  /** The server's descriptor or its problems are others now. */
  readonly onChange: (server: string) => void;
}

/**
 * Starts a server, shakes hands and lists its tools.
 *
 * @throws {CodeModeError} `mcp_server_failed`; `details.reason` is one line with the next step. No process is left then.
 */
export async function connectServer(
  name: string,
  config: McpServerConfig,
  options: ConnectServerOptions,
): Promise<ConnectedServer> {
  const { limits } = options;
  const deadline = AbortSignal.timeout(limits.startTimeoutMs);
  const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
  const isRemote = "url" in config;
  const link = isRemote
    ? createHttpLink(config, limits)
    : createStdioLink(await startProcess(name, config, options), limits.maxMessageBytes);
  const session = createServerSession(link, { name, clientInfo: options.clientInfo });
  let step = "initialize";
  try {
    const questions = options.elicitation ? followQuestions(session, name, options) : undefined;
    const listing = followTools(session, { name, limits, questions, onChange: () => options.onChange(name) });
    session.onLog((params) => {
      const entry = decodeLog(name, params);
      if (entry !== undefined) options.onLog?.(entry);
    });
    await session.initialize(signal);
    step = "tools/list";
    await listing.readFirst(signal);
    return {
      descriptor: listing.descriptor,
      problems: listing.problems,
      processId: link.processId,
      async close() {
        listing.stop();
        await session.close();
      },
    };
  } catch (error) {
    const problem = explain(error, step, { isLate: deadline.aborted, isRemote, session, limits });
    await session.close();
    options.signal?.throwIfAborted();
    throw failed(name, problem, error);
  }
}

async function startProcess(
  name: string,
  config: StdioServerConfig,
  { guard, limits }: ConnectServerOptions,
): Promise<ServerProcess> {
  try {
    return await startServerProcess(config, { guard, ...limits });
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    const command = `command ${describeValue(config.command)}`;
    const place = `mcpServers.${name}`;
    const isFolderMissing = config.cwd !== undefined && !(await stat(config.cwd).catch(() => undefined))?.isDirectory();
    const problem = isFolderMissing
      ? `its working directory ${describeValue(config.cwd)} is no folder; correct ${place}.cwd`
      : code === "ENOENT"
        ? `${command} was not found; install it or correct ${place}.command`
        : `${command} could not be started (${code}); correct ${place}`;
    throw failed(name, problem, error);
  }
}

/** Lets the server ask, while requests are under way. Why one of its questions was not asked is logged. */
function followQuestions(session: ServerSession, name: string, { onLog }: ConnectServerOptions): ServerQuestions {
  const questions = createServerQuestions({
    now: () => performance.now(),
    onRefused: (text) => onLog?.({ server: name, level: "warning", logger: "codemode", text: oneLine(text) }),
  });
  session.onQuestion(questions.answer);
  return questions;
}

interface FollowOptions {
  readonly name: string;
  readonly limits: McpLimits;
  readonly questions: ServerQuestions | undefined;
  readonly onChange: () => void;
}

interface Listing {
  /** @throws what `listTools` throws. */
  readFirst(signal: AbortSignal): Promise<void>;
  descriptor(): McpServerDescriptor;
  problems(): readonly McpServerProblem[];
  stop(): void;
}

/** The tools of a server as they are now. A list that cannot be read again leaves the one before. */
function followTools(session: ServerSession, { name, limits, questions, onChange }: FollowOptions): Listing {
  let list: ToolList = { tools: [], faults: [] };
  const describe = (tools: ToolList["tools"]): McpServerDescriptor =>
    describeServer(session, { name, tools, questions, ...limits });
  let descriptor = describe([]);

  function take(next: ToolList): void {
    list = next;
    descriptor = describe(next.tools);
  }

  async function readAgain(): Promise<void> {
    const signal = AbortSignal.timeout(limits.requestTimeoutMs);
    const next = await listTools(toolPages(session, signal), limits).catch((error: unknown) => ({
      tools: list.tools,
      faults: [{ problem: `its tools changed, and the new list could not be read: ${reasonOf(error)}` }],
    }));
    if (unusableReason(session.state()) !== undefined || JSON.stringify(next) === JSON.stringify(list)) return;
    take(next);
    onChange();
  }

  const watch = watchToolList({ read: readAgain, minIntervalMs: MIN_RELIST_INTERVAL_MS });
  session.onToolsChanged(watch.changed);
  return {
    readFirst: async (signal) => take(await listTools(toolPages(session, signal), limits)),
    descriptor: () => descriptor,
    problems: () => list.faults.map((fault) => ({ server: name, isServerLost: false, ...fault })),
    stop: watch.stop,
  };
}

/** Servers without tools may say so by not knowing the method. */
function toolPages(session: ServerSession, signal: AbortSignal): FetchPage {
  return async (cursor) => {
    try {
      return await session.request("tools/list", cursor === undefined ? undefined : { cursor }, { signal });
    } catch (error) {
      const { cause } = error as Error;
      const isUnknown = ProtocolError.isInstance(cause) && cause.code === METHOD_NOT_FOUND;
      if (isUnknown && session.capabilities()["tools"] === undefined) return { tools: [] };
      throw error;
    }
  };
}

function explain(
  error: unknown,
  step: string,
  {
    isLate,
    isRemote,
    session,
    limits,
  }: { isLate: boolean; isRemote: boolean; session: ServerSession; limits: McpLimits },
): string {
  const { end, hints } = session.state();
  const happened =
    end !== undefined
      ? `${describeEnd(end)} before it was ready`
      : isLate
        ? `it did not answer ${step} within ${limits.startTimeoutMs} ms`
        : `${step} failed: ${reasonOf(error)}`;
  const advice = isRemote
    ? "check its url and headers, and that it runs"
    : end === undefined && isLate
      ? "run its command in a terminal, or allow it more time"
      : "run its command in a terminal to see why";
  return [happened, hints, advice].filter((part) => part !== "").join("; ");
}

function reasonOf(error: unknown): string {
  if (isServerFailure(error)) return error.details.reason;
  return oneLine(error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
}

function failed(name: string, reason: string, cause: unknown): CodeModeError {
  return serverFailure(name, { reason, message: `${labelOf(name)} could not be used: ${reason}.`, cause });
}
