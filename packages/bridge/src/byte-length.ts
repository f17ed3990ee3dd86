import { charCodeAt, execute, slice } from "./primordials.js";

/**
 * Runs of characters outside ASCII. Group 1: two bytes for each UTF-16 unit (U+0080 to U+07FF, and whole surrogate
 * pairs: four bytes for two units). Otherwise: three bytes for each unit.
 */
const NON_ASCII_RUN =
  /((?:[\u0080-\u07ff]|[\ud800-\udbff][\udc00-\udfff]){1,2048})|(?:[\u0800-\ud7ff\udc00-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])){1,2048}/g;

/** UTF-8 size of a text, in bytes. A lone surrogate counts 3, the size of the U+FFFD it becomes. */
export function utf8Bytes(text: string): number {
  return measure(text, Infinity).bytes;
}

/** The longest prefix of at most `maxBytes` UTF-8 bytes that does not split a code point. */
export function cutUtf8(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const { units } = measure(text, maxBytes);
  return units === text.length ? text : slice(text, 0, units);
}

interface Measure {
  /** UTF-16 units of the longest prefix within the limit. */
  readonly units: number;
  /** Their UTF-8 bytes. */
  readonly bytes: number;
}

function measure(text: string, maxBytes: number): Measure {
  let bytes = 0;
  let units = 0;
  while (units < text.length) {
    NON_ASCII_RUN.lastIndex = units;
    const match = execute(NON_ASCII_RUN, text);
    const runStart = match === null ? text.length : match.index;
    const ascii = runStart - units;
    if (bytes + ascii > maxBytes)
      return { units: units + wholeUnits(maxBytes - bytes, 1), bytes: bytes + wholeUnits(maxBytes - bytes, 1) };
    bytes += ascii;
    units = runStart;
    if (match === null) break;
    const run = match[0];
    const bytesPerUnit = match[1] === undefined ? 3 : 2;
    if (bytes + run.length * bytesPerUnit > maxBytes) {
      const cut = characterStart(text, units + wholeUnits(maxBytes - bytes, bytesPerUnit));
      return { units: cut, bytes: bytes + (cut - units) * bytesPerUnit };
    }
    bytes += run.length * bytesPerUnit;
    units += run.length;
  }
  return { units, bytes };
}

function wholeUnits(bytes: number, bytesPerUnit: number): number {
  if (!(bytes > 0)) return 0;
  const units = bytes / bytesPerUnit;
  return units - (units % 1);
}

/** Moves an offset that lies inside a surrogate pair to the start of that pair. */
function characterStart(text: string, offset: number): number {
  if (offset === 0 || offset >= text.length) return offset;
  const before = charCodeAt(text, offset - 1);
  const after = charCodeAt(text, offset);
  const isInsidePair = before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
  return isInsidePair ? offset - 1 : offset;
}
