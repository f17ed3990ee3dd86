import { cutUtf8, sampleJson, utf8Bytes } from "@codemode/bridge";
import type { EncodedJson } from "@codemode/protocol";

/** Largest sample that is made, in bytes. */
const MAX_SAMPLE_BYTES = 4_096;

/**
 * Compact JSON text as it leaves the VM: whole when it fits, else its first `maxBytes` bytes, the whole's size and a sample
 * of its structure.
 */
export function encodeValue(text: string, maxBytes: number): EncodedJson {
  const bytes = utf8Bytes(text);
  if (bytes <= maxBytes) return { text, bytes, isComplete: true };
  const sample = sampleJson(text, MAX_SAMPLE_BYTES);
  return { text: cutUtf8(text, maxBytes), bytes, isComplete: false, ...(sample !== undefined && { sample }) };
}
