import { cutUtf8, utf8Bytes } from "./byte-length.js";
import { wellFormed } from "./primordials.js";

/** UTF-16 units that are measured at a time. */
const PIECE_LENGTH = 4096;

/** UTF-8 size of a text written as a JSON string, quotes included, in bytes. */
export function jsonStringBytes(text: string): number {
  return utf8Bytes(JSON.stringify(wellFormed(text)));
}

/**
 * The longest prefix of a text whose JSON string, quotes included, takes at most `maxBytes`. Never splits a code point;
 * empty when even the quotes do not fit.
 */
export function cutJsonString(text: string, maxBytes: number): string {
  let left = maxBytes - 2;
  let end = 0;
  while (end < text.length) {
    const piece = wholeCharacters(text, end, PIECE_LENGTH);
    const bytes = jsonStringBytes(piece) - 2;
    if (bytes > left) return text.slice(0, end) + cutPiece(piece, left);
    left -= bytes;
    end += piece.length;
  }
  return text;
}

function cutPiece(piece: string, maxBytes: number): string {
  let left = maxBytes;
  let end = 0;
  for (const character of cutUtf8(piece, Math.max(0, maxBytes))) {
    left -= jsonStringBytes(character) - 2;
    if (left < 0) break;
    end += character.length;
  }
  return piece.slice(0, end);
}

function wholeCharacters(text: string, start: number, length: number): string {
  const end = start + length;
  const splitsPair = end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff;
  return text.slice(start, splitsPair ? end - 1 : end);
}
