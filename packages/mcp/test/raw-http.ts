import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import type { McpFront } from "../src/index.js";

export interface Answer {
  readonly status: number | undefined;
  readonly body: string;
  readonly headers: IncomingMessage["headers"];
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Starts a request past any client library. */
export async function open(
  { url }: Pick<McpFront, "url">,
  { method = "POST", path = "/mcp", headers = {}, body = "" }: RawRequest = {},
): Promise<IncomingMessage> {
  const { hostname, port } = new URL(url ?? "");
  const sent = request({
    host: hostname,
    port,
    path,
    method,
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers },
  });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response;
}

/** A request to the end of its answer. */
export async function send(front: Pick<McpFront, "url">, options: RawRequest = {}): Promise<Answer> {
  const response = await open(front, options);
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

export const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});

/** Shakes hands, without going on. Returns the id of the session. */
export async function initialize(front: Pick<McpFront, "url">): Promise<string> {
  const { headers } = await send(front, { body: INITIALIZE });
  return String(headers["mcp-session-id"]);
}

/** Writes text to the front, byte by byte as it is. */
export async function writeRaw({ url }: Pick<McpFront, "url">, written: string): Promise<Socket> {
  const { hostname, port } = new URL(url ?? "");
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(written);
  return socket;
}
