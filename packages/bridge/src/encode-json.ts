import type { EncodedJson } from "@codemode/protocol";
import { cutUtf8, utf8Bytes } from "./byte-length.js";
import { writeJsonText, type JsonTextOptions } from "./json-text.js";

/**
 * Compact JSON of a value's plain form, of which at most `maxBytes` are kept. The rest is only counted, so that a huge
 * value needs no huge text.
 */
export function encodeJson(value: unknown, maxBytes: number, options: JsonTextOptions = {}): EncodedJson {
  let text = "";
  let bytes = 0;
  let isComplete = true;
  writeJsonText(value, options, (piece, isAscii) => {
    const before = bytes;
    bytes += isAscii ? piece.length : utf8Bytes(piece);
    if (!isComplete) return;
    isComplete = bytes <= maxBytes;
    text += isComplete ? piece : cutUtf8(piece, maxBytes - before);
  });
  return { text, bytes, isComplete };
}
