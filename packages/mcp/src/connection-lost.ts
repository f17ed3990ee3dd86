import { randomUUID } from "node:crypto";
import { ProtocolError } from "@modelcontextprotocol/client";
import { isObject } from "./is-object.js";

/** Of this process only, so that no server can say the same. */
const MARK = randomUUID();

/** What answers a request whose stream is over without an answer. The server may go on with it. */
export const CONNECTION_LOST = {
  /** Of JSON-RPC: the server's side failed. */
  code: -32_000,
  message: "the connection broke before the answer came",
  data: { mark: MARK },
} as const;

/** Whether a request was answered so. */
export function isConnectionLost(error: unknown): boolean {
  return ProtocolError.isInstance(error) && isObject(error.data) && error.data["mark"] === MARK;
}
