import { CodeModeError, type EncodedJson, type JsonValue } from "@codemode/protocol";
import { utf8Bytes } from "./byte-length.js";
import { parseEncoded } from "./encoded-json.js";
import { cutJsonString } from "./json-string.js";

/** What stands for a value that is too large. A successful partial result. */
export type TruncationMarker = {
  readonly truncated: true;
  /** UTF-8 bytes of the original compact JSON that `prefix` does not hold. */
  readonly omittedBytes: number;
  readonly guidance: string;
  /** Structure of the original: keys, first items and lengths of its arrays. Only of a final value, where it fits. */
  readonly sample?: JsonValue;
  /** Start of the original compact JSON, ending on a character boundary. */
  readonly prefix: string;
};

/** From the most to the least helpful; a small budget gets a shorter one. */
const GUIDANCE = [
  "Too large: only the start is shown. Rerun with narrower arguments: filter, paginate or return fewer fields.",
  "Too large: rerun with narrower arguments.",
  "",
] as const;

/** Most of a marker that its sample may take. */
const SAMPLE_SHARE = 1 / 4;

/**
 * The marker for an encoded value, whose own compact JSON takes at most `maxBytes`.
 *
 * @throws {CodeModeError} `invalid_argument` when `maxBytes` cannot hold even an empty marker (about 70 bytes);
 * `malformed_message` when the encoding's sample is not JSON.
 */
export function markerFor(encoded: EncodedJson, maxBytes: number): TruncationMarker {
  const { sample } = encoded;
  const hasSample = sample !== undefined && utf8Bytes(sample) <= maxBytes * SAMPLE_SHARE;
  const shown = hasSample ? { sample: parseEncoded(sample) as JsonValue } : {};
  const marker = (omittedBytes: number, guidance: string, prefix: string): TruncationMarker => ({
    truncated: true,
    omittedBytes,
    guidance,
    ...shown,
    prefix,
  });
  const fixedBytes = (guidance: string): number => utf8Bytes(JSON.stringify(marker(encoded.bytes, guidance, ""))) - 2;
  const guidance = GUIDANCE.find((text) => fixedBytes(text) <= maxBytes / 2) ?? "";
  const room = maxBytes - fixedBytes(guidance);
  if (room < 2) {
    const problem = `a truncation marker needs at least ${fixedBytes("") + 2} bytes, got ${maxBytes}`;
    throw new CodeModeError("invalid_argument", `maxBytes: ${problem}`, { path: "maxBytes", problem });
  }
  const prefix = cutJsonString(encoded.text, room);
  return marker(encoded.bytes - utf8Bytes(prefix), guidance, prefix);
}
