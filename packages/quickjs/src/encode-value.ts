import { cutUtf8, utf8Bytes } from "@codemode/bridge";
import type { EncodedJson } from "@codemode/protocol";

/** Compact JSON text as it leaves the VM: whole when it fits, else its first `maxBytes` bytes and the whole's size. */
export function encodeValue(text: string, maxBytes: number): EncodedJson {
  const bytes = utf8Bytes(text);
  if (bytes <= maxBytes) return { text, bytes, isComplete: true };
  return { text: cutUtf8(text, maxBytes), bytes, isComplete: false };
}
