import { cutJsonString, jsonStringBytes } from "./json-string.js";
import { slice, wellFormed } from "./primordials.js";

const SUFFIX = " [error truncated]";

/**
 * An error message whose JSON string takes at most `maxBytes`. A longer one keeps its head, where the cause is, and ends
 * with " [error truncated]". Of a message of any length only the first `maxBytes` UTF-16 units are read.
 */
export function truncateError(message: string, maxBytes: number): string {
  const head = readable(message, maxBytes);
  if (head.length === message.length && jsonStringBytes(head) <= maxBytes) return head;
  return cutJsonString(cutJsonString(head, maxBytes - SUFFIX.length) + SUFFIX, maxBytes);
}

/** What `truncateError` does not mark: the longest well-formed head whose JSON string takes at most `maxBytes`. */
export function cutPlainText(text: string, maxBytes: number): string {
  return cutJsonString(readable(text, maxBytes), maxBytes);
}

/** As much as could fit, since every unit takes at least a byte; where it splits a pair, the quotes leave no room. */
function readable(text: string, maxBytes: number): string {
  return wellFormed(text.length > maxBytes ? slice(text, 0, Math.max(0, maxBytes)) : text);
}
