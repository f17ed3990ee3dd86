import type { JsonValue } from "@codemode/protocol";
import { encodeJson } from "./encode-json.js";
import { toJsonText } from "./json-text.js";
import { markerFor, type TruncationMarker } from "./truncation-marker.js";

/** A value that fits its budget, or the marker in its place. */
export interface BoundedJson {
  readonly value: JsonValue | TruncationMarker;
  readonly isComplete: boolean;
  /** UTF-8 size of the whole value's compact JSON. */
  readonly bytes: number;
}

/** The same as JSON text, for what goes over the bridge. */
export interface BoundedJsonText {
  readonly text: string;
  readonly isComplete: boolean;
  /** UTF-8 size of the whole value's compact JSON. */
  readonly bytes: number;
}

/** Any value's plain form as JSON data that shares nothing with it. */
export function toJsonValue(value: unknown): JsonValue {
  return JSON.parse(toJsonText(value)) as JsonValue;
}

/**
 * A value's plain form in at most `maxBytes` of compact JSON: complete, or the truncation marker.
 *
 * @throws {CodeModeError} `invalid_argument` when the value does not fit and `maxBytes` cannot hold a marker.
 */
export function boundJson(value: unknown, maxBytes: number): BoundedJson {
  const encoded = encodeJson(value, maxBytes);
  const { bytes, isComplete } = encoded;
  if (isComplete) return { value: JSON.parse(encoded.text) as JsonValue, isComplete, bytes };
  return { value: markerFor(encoded, maxBytes), isComplete, bytes };
}

/** Like `boundJson`, as JSON text. */
export function boundJsonText(value: unknown, maxBytes: number): BoundedJsonText {
  const encoded = encodeJson(value, maxBytes);
  const { bytes, isComplete } = encoded;
  return { text: isComplete ? encoded.text : JSON.stringify(markerFor(encoded, maxBytes)), isComplete, bytes };
}
