import type { EncodedJson } from "@codemode/protocol";
import { utf8Bytes } from "./byte-length.js";
import { malformed } from "./fields.js";

const FROM = "worker";

/**
 * Checks that the sizes an encoding states are true, because budgets rest on them. Untrusted: a worker computed it.
 *
 * @throws {CodeModeError} `malformed_message`.
 */
export function assertEncoding({ text, bytes, isComplete }: EncodedJson): void {
  const textBytes = utf8Bytes(text);
  if (isComplete ? bytes === textBytes : Number.isSafeInteger(bytes) && bytes > textBytes) return;
  const claim = isComplete ? "complete" : "cut";
  throw malformed(FROM, `a ${claim} JSON text of ${textBytes} bytes is said to have ${bytes}`);
}

/**
 * The data in a complete JSON text.
 *
 * @throws {CodeModeError} `malformed_message`.
 */
export function parseEncoded(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw malformed(FROM, "a value is not JSON");
  }
}
