import {
  binaryOfPercent,
  charCodeAt,
  decodePercent,
  encodePercent,
  execute,
  percentOfBinary,
  sliceText,
  wellFormed,
} from "../library-primordials.js";

const NON_ASCII = /[^\0-\x7f]/;
const REPLACEMENT = "\ufffd";

/** UTF-8 of a text, as text with one character a byte. A lone surrogate becomes U+FFFD. */
export function utf8OfText(text: string): string {
  return execute(NON_ASCII, text) === null ? text : binaryOfPercent(encodePercent(wellFormed(text)));
}

/** The text of UTF-8 bytes; undefined when they are not UTF-8. */
export function textOfUtf8(binary: string): string | undefined {
  if (execute(NON_ASCII, binary) === null) return binary;
  try {
    return decodePercent(percentOfBinary(binary));
  } catch {
    return undefined;
  }
}

/** The text of any bytes, each longest start of a sequence that goes on wrongly read as one U+FFFD. */
export function textOfBrokenUtf8(binary: string): string {
  let text = "";
  let good = 0;
  let at = 0;
  while (at < binary.length) {
    const length = sequenceLength(binary, at);
    if (length > 0) {
      at += length;
      continue;
    }
    text += (textOfUtf8(sliceText(binary, good, at)) as string) + REPLACEMENT;
    at -= length;
    good = at;
  }
  return text + (textOfUtf8(sliceText(binary, good, at)) as string);
}

/** Bytes at the end that may be the start of a character whose rest is still to come. */
export function openUtf8Bytes(binary: string): number {
  const { length } = binary;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = charCodeAt(binary, length - back);
    if (byte >= 0xc0) return byte >= 0xf0 || (byte >= 0xe0 && back < 3) || back < 2 ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

/** Bytes of the whole sequence that starts there, or less than zero: how many belong to a broken one. */
function sequenceLength(binary: string, at: number): number {
  const first = charCodeAt(binary, at);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return -1;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  let lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  let highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  for (let index = 1; index < length; index++) {
    const byte = charCodeAt(binary, at + index);
    // Past the end the byte is NaN, and so broken.
    if (!(byte >= lowest && byte <= highest)) return -index;
    lowest = 0x80;
    highest = 0xbf;
  }
  return length;
}
