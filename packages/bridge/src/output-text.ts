import type { EncodedJson } from "@codemode/protocol";
import { cutUtf8, utf8Bytes } from "./byte-length.js";

/** The compact JSON of a growing array of output items: its whole size, and as much of its start as a budget allows. */
export interface OutputText {
  append(item: EncodedJson): void;
  /** Counts items whose text is not known. */
  skip(items: number, bytes: number): void;
  /** The array so far, brackets and commas included; the text leaves the closing bracket out. No item: 0 bytes. */
  encoded(): EncodedJson;
}

export function createOutputText(maxBytes: number): OutputText {
  let text = "";
  let textBytes = 0;
  let items = 0;
  let bytes = 0;
  let isComplete = true;

  return {
    append(item) {
      const piece = (items === 0 ? "[" : ",") + item.text;
      items++;
      bytes += 1 + item.bytes;
      if (!isComplete) return;
      const kept = cutUtf8(piece, maxBytes - textBytes);
      text += kept;
      textBytes += utf8Bytes(kept);
      isComplete = item.isComplete && kept === piece;
    },
    skip(skipped, skippedBytes) {
      items += skipped;
      bytes += skipped + skippedBytes;
      isComplete &&= skipped === 0;
    },
    encoded: () => ({ text, bytes: items === 0 ? 0 : bytes + 1, isComplete }),
  };
}
