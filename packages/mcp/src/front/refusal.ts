import type { ServerResponse } from "node:http";
import type { FrontHost } from "./front-host.js";

/** Why a request is turned away. The text holds nothing of the request. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** JSON-RPC's code. Default -32000. */
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers with a JSON-RPC error that belongs to no request. */
export function refuse(host: FrontHost, response: ServerResponse, refusal: Refusal): void {
  const { status, message, code = -32000, headers = {} } = refusal;
  host.emit({ type: "refused", reason: `${status}: ${message}` });
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } }));
}
