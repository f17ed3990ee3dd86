import { CodeModeError, describeValue, type ContentBlock, type McpCallResult } from "@codemode/protocol";
import { isObject } from "./is-object.js";

/**
 * The untrusted answer to a tool call, in its declared shape. Block fields and `structuredContent` stay as they came;
 * their schema is not the transport's business.
 *
 * @throws {CodeModeError} `malformed_message` where the answer cannot be read.
 */
export function decodeCallResult(from: string, answer: unknown): McpCallResult {
  if (!isObject(answer)) throw malformed(from, `the result is ${describeValue(answer)} instead of an object`);
  const { content, structuredContent, isError, _meta, inputRequests, requestState } = answer;
  if (inputRequests !== undefined || (requestState !== undefined && content === undefined)) {
    throw malformed(from, "it asks for input by its result, which this version of the protocol does not have");
  }
  return {
    content: decodeContent(from, content, structuredContent !== undefined),
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(typeof isError === "boolean" ? { isError } : {}),
    ...(_meta === undefined ? {} : { _meta }),
  };
}

/** A result may go without content only when it is structured. */
function decodeContent(from: string, content: unknown, isStructured: boolean): readonly ContentBlock[] {
  if (content === undefined && isStructured) return [];
  if (!Array.isArray(content)) throw malformed(from, `content is ${describeValue(content)} instead of an array`);
  const bad = content.findIndex((block) => !isObject(block) || typeof block["type"] !== "string");
  if (bad >= 0) throw malformed(from, `content[${bad}] is no content block`);
  return content as ContentBlock[];
}

function malformed(from: string, problem: string): CodeModeError {
  return new CodeModeError("malformed_message", `${from} sent an unreadable result: ${problem}.`, { from, problem });
}
