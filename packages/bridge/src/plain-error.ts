import { describeValue, type PlainError } from "@codemode/protocol";
import { cutPlainText, truncateError } from "./truncate-error.js";

const DEFAULT_MAX_BYTES = 8192;
const MAX_NAME_BYTES = 200;

/**
 * Whatever the host threw, as data: name, message and, when it is a string, code. Never a stack, a cause or a host
 * object. Never throws. `maxBytes` bounds the message's JSON string, default 8 KiB; of longer texts no more is read.
 */
export function toPlainError(error: unknown, maxBytes: number = DEFAULT_MAX_BYTES): PlainError {
  if (typeof error === "string") return { name: "Error", message: truncateError(error, maxBytes) };
  const name = textField(error, "name") ?? "Error";
  const message = textField(error, "message") ?? describeValue(error);
  const code = textField(error, "code");
  return {
    name: cutPlainText(name, MAX_NAME_BYTES),
    message: truncateError(message, maxBytes),
    ...(code === undefined ? {} : { code: cutPlainText(code, MAX_NAME_BYTES) }),
  };
}

function textField(error: unknown, key: "name" | "message" | "code"): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  try {
    const value = (error as Record<string, unknown>)[key];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
