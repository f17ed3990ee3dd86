import {
  RangeErrorConstructor,
  TypeErrorConstructor,
  base64ToBytes,
  binaryToBase64,
  execute,
  sliceText,
  toLowerCase,
  toText,
  typedArrayBytes,
  typedArraySet,
  typedArrayTag,
} from "../library-primordials.js";
import type { LibraryServices } from "../library-services.js";
import { binaryOfBytes, bytesOf } from "./byte-sources.js";
import { nameClass } from "./name-class.js";
import { encodingOf, type Encoding } from "./text-encodings.js";
import { utf8OfText } from "./utf8.js";

type Bytes = Uint8Array<ArrayBuffer>;

const LABEL = /^[\t\n\f\r ]*([^\t\n\f\r ]*)[\t\n\f\r ]*$/;
const BYTE_ORDER_MARK = "\ufeff";

interface DecoderOptions {
  readonly fatal?: unknown;
  readonly ignoreBOM?: unknown;
}

/** The globals `TextEncoder` and `TextDecoder`. */
export function createTextCoders({ cutUtf8 }: Pick<LibraryServices, "cutUtf8">): Record<string, unknown> {
  class TextEncoder {
    get encoding(): string {
      return "utf-8";
    }
    encode(text: unknown = ""): Bytes {
      return bytesOfText(toText(text));
    }
    encodeInto(source: unknown, target: unknown): { read: number; written: number } {
      const text = toText(source);
      if (typedArrayTag(target) !== "Uint8Array") {
        throw new TypeErrorConstructor("encodeInto takes a text and a Uint8Array.");
      }
      const part = cutUtf8(text, typedArrayBytes(target));
      const bytes = bytesOfText(part);
      typedArraySet(target as Bytes, bytes, 0);
      return { read: part.length, written: typedArrayBytes(bytes) };
    }
  }

  class TextDecoder {
    readonly #encoding: Encoding;
    readonly #isFatal: boolean;
    readonly #keepsMark: boolean;
    /** Bytes of a character whose rest is still to come. */
    #open = "";
    #isAtStart = true;

    constructor(label: unknown = "utf-8", options?: DecoderOptions) {
      const encoding = encodingOf(toLowerCase(execute(LABEL, toText(label))?.[1] ?? ""));
      if (encoding === undefined) throw new RangeErrorConstructor(unknownEncoding(toText(label)));
      this.#encoding = encoding;
      this.#isFatal = !!options?.fatal;
      this.#keepsMark = !!options?.ignoreBOM;
    }
    get encoding(): string {
      return this.#encoding.name;
    }
    get fatal(): boolean {
      return this.#isFatal;
    }
    get ignoreBOM(): boolean {
      return this.#keepsMark;
    }
    decode(source?: unknown, options?: { readonly stream?: unknown }): string {
      const isLast = !options?.stream;
      const all = this.#open + (source === undefined ? "" : binaryOfBytes(bytesOf(source, "decode")));
      const openBytes = isLast ? 0 : this.#encoding.openBytes(all);
      this.#open = sliceText(all, all.length - openBytes, all.length);
      const text = this.#read(sliceText(all, 0, all.length - openBytes));
      const isMarked = this.#isAtStart && !this.#keepsMark && text[0] === BYTE_ORDER_MARK;
      this.#isAtStart = isLast || (this.#isAtStart && text === "");
      return isMarked ? sliceText(text, 1, text.length) : text;
    }
    #read(binary: string): string {
      if (!this.#isFatal) return this.#encoding.lenient(binary);
      const text = this.#encoding.strict(binary);
      if (text !== undefined) return text;
      this.#open = "";
      this.#isAtStart = true;
      throw new TypeErrorConstructor(`The encoded data was not valid for encoding ${this.#encoding.name}`);
    }
  }

  nameClass(TextEncoder, "TextEncoder");
  nameClass(TextDecoder, "TextDecoder");
  return { TextEncoder, TextDecoder };
}

function bytesOfText(text: string): Bytes {
  return base64ToBytes(binaryToBase64(utf8OfText(text)));
}

function unknownEncoding(label: string): string {
  return `The encoding "${sliceText(label, 0, 100)}" is not known here: utf-8, utf-16le, utf-16be and windows-1252 are.`;
}
