import {
  Client,
  type ElicitRequestFormParams,
  type ElicitResult,
  type RequestOptions,
} from "@modelcontextprotocol/client";
import type { ElicitationAnswer, ElicitationQuestion } from "@codemode/protocol";
import type { RequestPatience } from "./request-patience.js";
import type { ServerLink } from "./server-link.js";
import type { SecretMask } from "./secret-mask.js";
import { explainFailure, unusableReason, type Asked, type SessionState } from "./session-failures.js";
import { MAX_TIMER_MS } from "./timer-range.js";

export interface RequestControl {
  /** Its abort reaches the server as a cancel notification; the request then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** When it is over the server is told to cancel. The request begins and ends it. Default: as long as the signal allows. */
  readonly patience?: RequestPatience;
  /** What is asked, in messages. Default: the method. */
  readonly subject?: string;
  /** Told what the server says of its progress, which is asked for only then. Untrusted. Must not throw. */
  readonly onProgress?: (progress: unknown) => void;
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
  /** Called with each log message of the server, as it came. Untrusted. Set it before `initialize`. */
  onLog(listener: (params: unknown) => void): void;
  /** Lets the server ask. Set it before `initialize`, which tells the server. Questions come in their declared shape. */
  onQuestion(answer: QuestionListener): void;
  state(): SessionState;
  close(): Promise<void>;
}

/** What it throws refuses the question. The signal takes it back. */
export type QuestionListener = (question: ElicitationQuestion, signal: AbortSignal) => Promise<ElicitationAnswer>;

export interface SessionOptions {
  readonly name: string;
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Whether another session takes this one's place once the server is lost; only messages depend on it. */
  readonly isRevivable: boolean;
  /** For texts of the server in errors. */
  readonly mask: SecretMask;
}

/** Accepts every result: the client's own schemas would refuse a whole list for one bad tool. */
const ANY_RESULT = {
  "~standard": { version: 1, vendor: "codemode", validate: (value: unknown) => ({ value }) },
} as const;

export function createServerSession(link: ServerLink, options: SessionOptions): ServerSession {
  const client = new Client(options.clientInfo);
  const { transport } = link;
  let isClosed = false;
  const state = (): SessionState => ({
    name: options.name,
    isClosed,
    loss: link.loss(),
    isRevivable: options.isRevivable,
    hints: link.hints(),
    mask: options.mask,
  });

  async function settle<T>(asked: Asked, signal: AbortSignal | undefined, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      signal?.throwIfAborted();
      throw explainFailure(error, asked, state());
    }
  }

  return {
    initialize: (signal) =>
      settle({ method: "initialize" }, signal, client.connect(transport, { signal, timeout: MAX_TIMER_MS })),
    capabilities: () => client.getServerCapabilities() ?? {},
    async request(method, params, { signal, patience, subject = method, onProgress }) {
      const unusable = unusableReason(state());
      if (unusable !== undefined) throw unusable;
      signal?.throwIfAborted();
      const until = patience === undefined ? signal : patience.begin(signal);
      const onprogress = (progress: unknown): void => {
        patience?.heard();
        onProgress?.(progress);
      };
      const control: RequestOptions = {
        // The library's own timer cannot stand still while a person is asked.
        timeout: MAX_TIMER_MS,
        ...(until === undefined ? {} : { signal: until }),
        ...(onProgress === undefined ? {} : { onprogress }),
      };
      const request = { method, ...(params === undefined ? {} : { params }) };
      try {
        return await settle({ method, subject, patience }, signal, client.request(request, ANY_RESULT, control));
      } finally {
        patience?.end();
      }
    },
    onToolsChanged: (listener) => client.setNotificationHandler("notifications/tools/list_changed", listener),
    onLog: (listener) => client.setNotificationHandler("notifications/message", ({ params }) => listener(params)),
    onQuestion(answer) {
      client.registerCapabilities({ elicitation: { form: {} } });
      client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
        // The client library has refused what is no form.
        const { message, requestedSchema } = params as ElicitRequestFormParams;
        const answered = await answer({ mode: "form", message, requestedSchema }, mcpReq.signal);
        return answered as ElicitResult;
      });
    },
    state,
    async close() {
      isClosed = true;
      await client.close();
      await link.close();
    },
  };
}
