import type { Readable, Writable } from "node:stream";
import type { ApprovalGate, CodeModeOptions, ToolHooks } from "@codemode/core";
import type { McpConnection } from "../connect-mcp-servers.js";
import type { McpFrontEvent } from "./front-event.js";

/** Code mode as an MCP server. */
export interface ServeMcpOptions {
  /** The servers whose tools cells may call. Borrowed: close it after the front. */
  readonly connection: Pick<McpConnection, "servers" | "onChange">;
  /** How clients reach the front. Default: standard input and output. */
  readonly transport?: StdioFrontOptions | HttpFrontOptions;
  /** Limits, languages, workers. `maxToolResultBytes` is 4 MiB and `maxSuspendedPerSession` 32 unless `config` names them. */
  readonly codeMode?: CodeModeOptions;
  /** Asked about each exec and each nested call, as in a run of `@codemode/core`. */
  readonly hooks?: ToolHooks;
  /** Also asked what servers ask, when the connection lets them (`elicitation`). Without a gate the session's client is. */
  readonly approve?: ApprovalGate;
  /** How the front introduces itself. Default `codemode` with this package's version. */
  readonly serverInfo?: { readonly name: string; readonly version: string };
  /** What happens, without inputs, results or secrets. An error it throws is ignored. */
  readonly onEvent?: (event: McpFrontEvent) => void;
}

/** One client on a pair of streams. The front is over when the input ends. */
export interface StdioFrontOptions {
  readonly type: "stdio";
  /** Default: standard input. */
  readonly input?: Readable;
  /** Default: standard output. Nothing else may be written to it. */
  readonly output?: Writable;
}

/** Many clients over streamable HTTP, each with a session of its own. */
export interface HttpFrontOptions {
  readonly type: "http";
  /** 0: any free one. */
  readonly port: number;
  /** Address to listen on. Default `127.0.0.1`. One that is no loopback address needs a `token`. */
  readonly host?: string;
  /** Bearer token every request must carry, at least 16 visible characters. Default: none is asked for. */
  readonly token?: string;
  /** Names by which clients may reach the front, besides `localhost` and addresses. */
  readonly allowedHosts?: readonly string[];
  /** Sessions at one time; a further client takes the place of one that sent nothing after its handshake, or is refused. Default 64, range 1 to 10_000. */
  readonly maxSessions?: number;
  /** How long a session lives with no request and no stream open, in ms. Default 600_000, range 100 to 86_400_000. */
  readonly idleTimeoutMs?: number;
  /** How long a session lives whose client sends nothing after its handshake, in ms. Default 30_000, range 100 to 600_000. */
  readonly handshakeTimeoutMs?: number;
  /** Largest body of a request, in bytes. Default 4 MiB, range 1 KiB to 64 MiB. */
  readonly maxBodyBytes?: number;
}

/** A running front. Owned: `close` it. */
export interface McpFront extends AsyncDisposable {
  /** Where clients connect; undefined over stdio. */
  readonly url: string | undefined;
  /** Settles when the front is over: closed, or its only client is gone. Never rejects. */
  readonly closed: Promise<void>;
  /** Sessions open now. */
  sessions(): number;
  /** Ends all sessions with their cells, and the threads. Idempotent. */
  close(): Promise<void>;
}
