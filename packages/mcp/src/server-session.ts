import { Client, ProtocolError, type RequestOptions } from "@modelcontextprotocol/client";
import { CodeModeError } from "@codemode/protocol";
import { oneLine } from "./one-line.js";
import { MAX_TIMER_MS } from "./options.js";
import type { ProcessEnd, ServerProcess } from "./server-process.js";
import { createStdioTransport } from "./stdio-transport.js";
import { lastWords } from "./tail-buffer.js";

export interface RequestControl {
  /** Its abort reaches the server as a cancel notification; the request then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Default: as long as the signal allows. */
  readonly timeoutMs?: number;
}

/** One server, spoken to. Owned: `close` it. */
export interface ServerSession {
  /** Handshake. Once, before any request. */
  initialize(signal: AbortSignal): Promise<void>;
  capabilities(): Readonly<Record<string, unknown>>;
  /**
   * One request whose result is handed over as it came.
   *
   * @throws {CodeModeError} `mcp_server_failed` when the server refuses or is gone, `closed` after `close`.
   */
  request(method: string, params: Record<string, unknown> | undefined, control: RequestControl): Promise<unknown>;
  /** How the server's process ended; undefined while it lives. */
  end(): ProcessEnd | undefined;
  /** What the server showed of itself that may explain a failure; one line, empty when nothing. */
  hints(): string;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly name: string;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly maxMessageBytes: number;
}

/** Longest text of a refusal that is handed on, in characters: a model may correct its input by it. */
const MAX_REFUSAL_CHARS = 2_000;

/** Accepts every result: the client's own schemas would refuse a whole list for one bad tool. */
const ANY_RESULT = {
  "~standard": { version: 1, vendor: "codemode", validate: (value: unknown) => ({ value }) },
} as const;

export function createServerSession(server: ServerProcess, options: SessionOptions): ServerSession {
  const client = new Client(options.clientInfo);
  const transport = createStdioTransport(server, options.maxMessageBytes);
  const label = `MCP server ${JSON.stringify(options.name)}`;
  let end: ProcessEnd | undefined;
  let isClosed = false;
  void server.ended.then((how) => (end = how));

  function hints(): string {
    const words = lastWords(server.stderrTail());
    if (words !== "") return `its last words: ${oneLine(words)}`;
    const stray = transport.strayOutput();
    return stray === undefined ? "" : `it printed ${JSON.stringify(stray)} where messages belong`;
  }

  function failure(message: string, reason: string, cause?: unknown): CodeModeError {
    return new CodeModeError("mcp_server_failed", message, { server: options.name, reason }, { cause });
  }

  function unusable(): CodeModeError | undefined {
    if (isClosed) return new CodeModeError("closed", `${label} was closed.`, { what: "connection" });
    if (end === undefined) return undefined;
    const reason = [describeEnd(end), hints()].filter((part) => part !== "").join("; ");
    return failure(`${label} is gone: ${reason}. Connect again to use it.`, reason);
  }

  /** What a rejection of the client comes down to, in the order of what says most. */
  function translate(error: unknown, method: string, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted === true) return signal.reason;
    if (isClosed || end !== undefined) return unusable();
    const isRefusal = ProtocolError.isInstance(error);
    const message = error instanceof Error ? error.message : String(error);
    const reason = isRefusal ? `${oneLine(message, MAX_REFUSAL_CHARS)} (code ${error.code})` : oneLine(message);
    const verb = isRefusal ? "refused" : "did not answer";
    return failure(`${label} ${verb} ${method}: ${reason}.`, reason, error);
  }

  return {
    async initialize(signal) {
      await client.connect(transport, { signal, timeout: MAX_TIMER_MS }).catch((error: unknown) => {
        throw translate(error, "initialize", signal);
      });
    },
    capabilities: () => client.getServerCapabilities() ?? {},
    async request(method, params, { signal, timeoutMs = MAX_TIMER_MS }) {
      const problem = unusable();
      if (problem !== undefined) throw problem;
      signal?.throwIfAborted();
      const requestOptions: RequestOptions = { timeout: timeoutMs, ...(signal === undefined ? {} : { signal }) };
      const request = { method, ...(params === undefined ? {} : { params }) };
      return client.request(request, ANY_RESULT, requestOptions).catch((error: unknown) => {
        throw translate(error, method, signal);
      });
    },
    end: () => end,
    hints,
    async close() {
      isClosed = true;
      await client.close();
      await server.end();
    },
  };
}

/** How a process ended, as the end of the sentence "it …". */
export function describeEnd({ code, signal }: ProcessEnd): string {
  return signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`;
}
