import {
  charCodeAt,
  execute,
  nativeUtf8Bytes,
  percentDecode,
  percentEncode,
  slice,
  wellFormed,
} from "./primordials.js";

/** A plain character class: by far the fastest test for ASCII that both engines have. */
const NON_ASCII = /[^\0-\x7f]/;
/** UTF-16 units that are measured at a time, so that no large copy is made. */
const PIECE_LENGTH = 8192;

/** UTF-8 size of a text, in bytes. A lone surrogate counts 3, the size of the U+FFFD it becomes. */
export function utf8Bytes(text: string): number {
  if (nativeUtf8Bytes !== undefined) return nativeUtf8Bytes(text);
  let bytes = 0;
  for (let start = 0; start < text.length;) {
    const end = pieceEnd(text, start);
    bytes += pieceBytes(slice(text, start, end));
    start = end;
  }
  return bytes;
}

/** The longest prefix of at most `maxBytes` UTF-8 bytes that does not split a code point. Reads no further than that. */
export function cutUtf8(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  let left = maxBytes;
  for (let start = 0; start < text.length;) {
    const end = pieceEnd(text, start);
    const piece = slice(text, start, end);
    const bytes = pieceBytes(piece);
    if (bytes > left) return slice(text, 0, start + fittingUnits(piece, left));
    left -= bytes;
    start = end;
  }
  return text;
}

function pieceEnd(text: string, start: number): number {
  const end = start + PIECE_LENGTH;
  if (end >= text.length) return text.length;
  return isHighSurrogate(charCodeAt(text, end - 1)) && isLowSurrogate(charCodeAt(text, end)) ? end - 1 : end;
}

/** Percent-encoding writes three characters for a byte; decoding them one by one gives one character for each byte. */
function pieceBytes(piece: string): number {
  if (nativeUtf8Bytes !== undefined) return nativeUtf8Bytes(piece);
  return execute(NON_ASCII, piece) === null ? piece.length : percentDecode(percentEncode(wellFormed(piece))).length;
}

function fittingUnits(piece: string, maxBytes: number): number {
  let left = maxBytes;
  let units = 0;
  while (units < piece.length) {
    const unit = charCodeAt(piece, units);
    const isPair = isHighSurrogate(unit) && isLowSurrogate(charCodeAt(piece, units + 1));
    left -= isPair ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    if (left < 0) break;
    units += isPair ? 2 : 1;
  }
  return units;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** False for NaN, which is the unit past the end. */
function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
