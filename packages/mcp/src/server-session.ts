import { Client, type RequestOptions } from "@modelcontextprotocol/client";
import { oneLine } from "./one-line.js";
import { MAX_TIMER_MS } from "./options.js";
import type { ProcessEnd, ServerProcess } from "./server-process.js";
import { explainFailure, unusableReason, type SessionState } from "./session-failures.js";
import { createStdioTransport, type StdioTransport } from "./stdio-transport.js";
import { lastWords } from "./tail-buffer.js";

export interface RequestControl {
  /** Its abort reaches the server as a cancel notification; the request then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Default: as long as the signal allows. */
  readonly timeoutMs?: number;
}

/** One server, spoken to. Owned: `close` it. */
export interface ServerSession {
  /** Handshake. Once, before any request. Rejects as a request does. */
  initialize(signal: AbortSignal): Promise<void>;
  capabilities(): Readonly<Record<string, unknown>>;
  /**
   * One request whose result is handed over as it came.
   *
   * @throws {CodeModeError} `mcp_server_failed` when the server refuses or is gone, `closed` after `close`.
   */
  request(method: string, params: Record<string, unknown> | undefined, control: RequestControl): Promise<unknown>;
  /** Called whenever the server says that its tools changed. Set it before `initialize`. */
  onToolsChanged(listener: () => void): void;
  state(): SessionState;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly name: string;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly maxMessageBytes: number;
}

/** Accepts every result: the client's own schemas would refuse a whole list for one bad tool. */
const ANY_RESULT = {
  "~standard": { version: 1, vendor: "codemode", validate: (value: unknown) => ({ value }) },
} as const;

export function createServerSession(server: ServerProcess, options: SessionOptions): ServerSession {
  const client = new Client(options.clientInfo);
  const transport = createStdioTransport(server, options.maxMessageBytes);
  let end: ProcessEnd | undefined;
  let isClosed = false;
  void server.ended.then((how) => (end = how));
  const state = (): SessionState => ({ name: options.name, isClosed, end, hints: hintsOf(server, transport) });

  async function settle<T>(method: string, signal: AbortSignal | undefined, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      signal?.throwIfAborted();
      throw explainFailure(error, method, state());
    }
  }

  return {
    initialize: (signal) => settle("initialize", signal, client.connect(transport, { signal, timeout: MAX_TIMER_MS })),
    capabilities: () => client.getServerCapabilities() ?? {},
    async request(method, params, { signal, timeoutMs = MAX_TIMER_MS }) {
      const unusable = unusableReason(state());
      if (unusable !== undefined) throw unusable;
      signal?.throwIfAborted();
      const control: RequestOptions = { timeout: timeoutMs, ...(signal === undefined ? {} : { signal }) };
      const request = { method, ...(params === undefined ? {} : { params }) };
      return settle(method, signal, client.request(request, ANY_RESULT, control));
    },
    onToolsChanged: (listener) => client.setNotificationHandler("notifications/tools/list_changed", listener),
    state,
    async close() {
      isClosed = true;
      await client.close();
      await server.end();
    },
  };
}

function hintsOf(server: ServerProcess, transport: StdioTransport): string {
  const words = lastWords(server.stderrTail());
  if (words !== "") return `its last words: ${oneLine(words)}`;
  const stray = transport.strayOutput();
  return stray === undefined ? "" : `it printed ${JSON.stringify(stray)} where messages belong`;
}
