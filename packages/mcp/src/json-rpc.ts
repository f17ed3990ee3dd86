import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { describeValue } from "@codemode/protocol";
import { isObject } from "./is-object.js";
import type { MessageLine } from "./message-lines.js";
import { oneLine } from "./one-line.js";

/** JSON-RPC's code for a fault on the answering side. */
const INTERNAL_ERROR = -32603;

/** Longest text of an error's `data` that is handed on, in characters. */
const MAX_DATA_CHARS = 500;

/**
 * The messages in a line of a server's output: one, those of a batch, or none.
 *
 * A faulty answer becomes an error answer to the same request: the client ignores what it cannot read, and the request
 * would wait for ever.
 */
export function decodeMessages(line: MessageLine): JSONRPCMessage[] {
  if (line.type === "oversized") return answerForOversized(line);
  let value: unknown;
  try {
    value = JSON.parse(withoutByteOrderMark(line.text));
  } catch {
    return [];
  }
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  return entries.filter(isObject).flatMap((entry) => {
    if (isAnswer(entry)) return [repairAnswer(entry)];
    return isAsking(entry) ? [entry] : [];
  });
}

/** Longest id of a server's own request, in characters: the answer repeats it. */
const MAX_ID_CHARS = 256;

/** A request or notification. What is none is dropped here: the client library takes long to find out. */
function isAsking(value: Record<string, unknown>): value is Record<string, unknown> & JSONRPCMessage {
  const { jsonrpc, id, method, params } = value;
  const isNamed = id === undefined || Number.isSafeInteger(id) || (typeof id === "string" && id.length <= MAX_ID_CHARS);
  return jsonrpc === "2.0" && typeof method === "string" && isNamed && (params === undefined || isObject(params));
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

type AnswerId = string | number;
type Answer = { readonly id: AnswerId; readonly result?: unknown; readonly error?: unknown };

function isAnswer(value: Record<string, unknown>): value is Answer {
  const { id, method } = value;
  return (typeof id === "number" || typeof id === "string") && typeof method !== "string";
}

function repairAnswer({ id, result, error }: Answer): JSONRPCMessage {
  if (error !== undefined && error !== null) return { jsonrpc: "2.0", id, error: repairError(error) };
  if (!isObject(result)) return errorAnswer(id, "the answer is not an object");
  if (result["_meta"] === undefined || isObject(result["_meta"])) return { jsonrpc: "2.0", id, result };
  const { _meta, ...rest } = result;
  return { jsonrpc: "2.0", id, result: rest };
}

/** What a server says is wrong, in one text: a model may correct its input by it. */
function repairError(error: unknown): { code: number; message: string } {
  if (!isObject(error)) return { code: INTERNAL_ERROR, message: asText(error) };
  const code = Number.isSafeInteger(error["code"]) ? (error["code"] as number) : INTERNAL_ERROR;
  const message = error["message"] === undefined ? "it gave no reason" : asText(error["message"]);
  return { code, message: `${message}${describeData(error["data"])}` };
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : describeValue(value);
}

function describeData(data: unknown): string {
  if (data === undefined || data === null) return "";
  return `; data: ${oneLine(stringify(data), MAX_DATA_CHARS)}`;
}

function stringify(data: unknown): string {
  try {
    return JSON.stringify(data);
  } catch {
    // Nested too deeply.
    return describeValue(data);
  }
}

const ANSWER_WITH_ID_FIRST =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,\s*"(?:jsonrpc|result|error)"/;
const ANSWER = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"/;
const ID_LAST = /,\s*"id"\s*:\s*(\d+)\s*\}\s*$/;

/** Servers write the id first or last. A line that shows none is dropped: it is a notification, or no message at all. */
function answerForOversized(line: MessageLine & { type: "oversized" }): JSONRPCMessage[] {
  const match = ANSWER_WITH_ID_FIRST.exec(line.head) ?? (ANSWER.test(line.head) ? ID_LAST.exec(line.tail) : null);
  if (match === null) return [];
  return [
    errorAnswer(
      Number(match[1]),
      `the answer of ${line.bytes} bytes is larger than this client accepts; ask for less at a time`,
    ),
  ];
}

function errorAnswer(id: AnswerId, message: string): JSONRPCMessage {
  return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message } };
}
