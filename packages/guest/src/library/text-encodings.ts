import {
  append,
  apply,
  bareList,
  charCodeAt,
  execute,
  fromCharCode,
  sliceText,
  textIndexOf,
  wellFormed,
} from "../library-primordials.js";
import { openUtf8Bytes, textOfBrokenUtf8, textOfUtf8 } from "./utf8.js";

/** How bytes, given as text with one character a byte, become text. */
export interface Encoding {
  readonly name: string;
  /** Undefined when the bytes are wrong. */
  strict(binary: string): string | undefined;
  /** Wrong bytes become U+FFFD. */
  lenient(binary: string): string;
  /** Bytes at the end to keep until more come. */
  openBytes(binary: string): number;
}

const CHUNK_UNITS = 4_096;
const REPLACEMENT = "\ufffd";
const WINDOWS_CONTROLS = /[\x80-\x9f]/;
/** What windows-1252 has in place of the control characters 0x80 to 0x9f. */
const WINDOWS_LETTERS =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f" +
  "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

const UTF_8: Encoding = {
  name: "utf-8",
  strict: textOfUtf8,
  lenient: (binary) => textOfUtf8(binary) ?? textOfBrokenUtf8(binary),
  openBytes: openUtf8Bytes,
};
const WINDOWS_1252: Encoding = {
  name: "windows-1252",
  strict: windowsText,
  lenient: windowsText,
  openBytes: () => 0,
};

const UTF_8_LABELS = " utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 ";
const UTF_16LE_LABELS = " utf-16le utf-16 ucs-2 unicode unicodefeff csunicode iso-10646-ucs-2 ";
const UTF_16BE_LABELS = " utf-16be unicodefffe ";
const WINDOWS_1252_LABELS =
  " windows-1252 cp1252 x-cp1252 latin1 l1 iso-8859-1 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 iso-ir-100 ascii " +
  "us-ascii ansi_x3.4-1968 cp819 ibm819 csisolatin1 ";

/** The encoding of a label in small letters without spaces around it; undefined when it is none of the four. */
export function encodingOf(label: string): Encoding | undefined {
  const isIn = (labels: string): boolean => textIndexOf(label, " ") < 0 && textIndexOf(labels, ` ${label} `) >= 0;
  if (isIn(UTF_8_LABELS)) return UTF_8;
  if (isIn(UTF_16LE_LABELS)) return utf16("utf-16le", 0);
  if (isIn(UTF_16BE_LABELS)) return utf16("utf-16be", 1);
  return isIn(WINDOWS_1252_LABELS) ? WINDOWS_1252 : undefined;
}

/** `low` is the place of the lesser byte in a pair. */
function utf16(name: string, low: 0 | 1): Encoding {
  const unitAt = (binary: string, at: number): number =>
    charCodeAt(binary, at + low) | (charCodeAt(binary, at + 1 - low) << 8);
  const unitsOf = (binary: string): string => {
    let text = "";
    const end = binary.length - (binary.length % 2);
    for (let from = 0; from < end; from += 2 * CHUNK_UNITS) {
      const units = bareList<number>();
      for (let at = from; at < end && at < from + 2 * CHUNK_UNITS; at += 2) append(units, unitAt(binary, at));
      text += apply(fromCharCode, undefined, units);
    }
    return text;
  };
  const isOpenPair = (binary: string, end: number): boolean => end >= 2 && unitAt(binary, end - 2) >> 10 === 0x36;
  return {
    name,
    strict(binary) {
      const text = unitsOf(binary);
      return binary.length % 2 === 0 && text === wellFormed(text) ? text : undefined;
    },
    lenient(binary) {
      const text = wellFormed(unitsOf(binary));
      // Half a unit after half a pair is one mistake.
      const isOneMore = binary.length % 2 === 1 && !isOpenPair(binary, binary.length - 1);
      return isOneMore ? text + REPLACEMENT : text;
    },
    openBytes(binary) {
      const odd = binary.length % 2;
      return isOpenPair(binary, binary.length - odd) ? 2 + odd : odd;
    },
  };
}

function windowsText(binary: string): string {
  if (execute(WINDOWS_CONTROLS, binary) === null) return binary;
  let text = "";
  let from = 0;
  for (let at = 0; at < binary.length; at++) {
    const byte = charCodeAt(binary, at);
    if (byte < 0x80 || byte > 0x9f) continue;
    text += sliceText(binary, from, at) + (WINDOWS_LETTERS[byte - 0x80] as string);
    from = at + 1;
  }
  return text + sliceText(binary, from, binary.length);
}
