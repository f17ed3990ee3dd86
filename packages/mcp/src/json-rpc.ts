import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { describeValue } from "@codemode/protocol";
import { isObject } from "./is-object.js";
import type { MessageLine } from "./message-lines.js";

/** JSON-RPC's code for a fault on the answering side. */
const INTERNAL_ERROR = -32603;

/**
 * The message in a line of a server's output, or undefined where there is none.
 *
 * A faulty answer becomes an error answer to the same request: the client ignores what it cannot read, and the request
 * would wait for ever.
 */
export function decodeMessage(line: MessageLine): JSONRPCMessage | undefined {
  if (line.type === "oversized") return answerForOversized(line);
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  return isAnswer(value) ? repairAnswer(value) : (value as JSONRPCMessage);
}

type AnswerId = string | number;
type Answer = { readonly id: AnswerId; readonly result?: unknown; readonly error?: unknown };

function isAnswer(value: Record<string, unknown>): value is Answer {
  const { id, method } = value;
  return (typeof id === "number" || typeof id === "string") && typeof method !== "string";
}

function repairAnswer({ id, result, error }: Answer): JSONRPCMessage {
  if (isObject(error)) {
    const code = Number.isSafeInteger(error["code"]) ? (error["code"] as number) : INTERNAL_ERROR;
    const message = typeof error["message"] === "string" ? error["message"] : describeValue(error["message"]);
    return { jsonrpc: "2.0", id, error: { code, message } };
  }
  if (!isObject(result)) return errorAnswer(id, "the answer is not an object");
  if (result["_meta"] === undefined || isObject(result["_meta"])) return { jsonrpc: "2.0", id, result };
  const { _meta, ...rest } = result;
  return { jsonrpc: "2.0", id, result: rest };
}

const ANSWER_WITH_ID_FIRST =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,\s*"(?:jsonrpc|result|error)"/;
const ANSWER = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"/;
const ID_LAST = /,\s*"id"\s*:\s*(\d+)\s*\}\s*$/;

/** Servers write the id first or last. A line that shows none is dropped: it is a notification, or no message at all. */
function answerForOversized(line: MessageLine & { type: "oversized" }): JSONRPCMessage | undefined {
  const match = ANSWER_WITH_ID_FIRST.exec(line.head) ?? (ANSWER.test(line.head) ? ID_LAST.exec(line.tail) : null);
  if (match === null) return undefined;
  return errorAnswer(Number(match[1]), `the answer of ${line.bytes} bytes is larger than this client accepts`);
}

function errorAnswer(id: AnswerId, message: string): JSONRPCMessage {
  return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message } };
}
