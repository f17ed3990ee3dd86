import {
  DOMExceptionConstructor,
  Uint8ArrayConstructor,
  base64ToBytes,
  bytesToHex,
  isView,
  random,
  sliceText,
  typedArrayBytes,
  typedArraySet,
  typedArrayTag,
} from "../library-primordials.js";
import type { Ask } from "../library-services.js";
import { bytesOf } from "./byte-sources.js";
import { defineTag } from "./name-class.js";

type Bytes = Uint8Array<ArrayBuffer>;

const MAX_BYTES = 65_536;

/** The global `crypto`: random values, of the worker's own source, or of the seeded sequence in a seeded cell. */
export function createCrypto(ask: Ask): object {
  function randomBytes(count: number): Bytes {
    const base64 = ask(`{"ask":"random","bytes":${count}}`);
    return typeof base64 === "string" ? base64ToBytes(base64) : seededBytes(count);
  }

  const crypto = {
    getRandomValues(target: unknown): unknown {
      if (!isIntegerArray(target)) {
        throw new DOMExceptionConstructor("getRandomValues takes an array of integers.", "TypeMismatchError");
      }
      const count = typedArrayBytes(target);
      if (count > MAX_BYTES) {
        const problem = `getRandomValues gives at most ${MAX_BYTES} bytes, not ${count}.`;
        throw new DOMExceptionConstructor(problem, "QuotaExceededError");
      }
      typedArraySet(bytesOf(target, "getRandomValues"), randomBytes(count), 0);
      return target;
    },
    /** A random UUID of version 4. */
    randomUUID(): string {
      const bytes = randomBytes(16);
      bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
      bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
      const hex = bytesToHex(bytes);
      const part = (from: number, to: number): string => sliceText(hex, from, to);
      return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`;
    },
  };
  defineTag(crypto, "Crypto");
  return crypto;
}

function seededBytes(count: number): Bytes {
  const bytes = new Uint8ArrayConstructor(count);
  for (let index = 0; index < count; index++) bytes[index] = random() * 256;
  return bytes;
}

function isIntegerArray(value: unknown): boolean {
  const tag = isView(value) ? typedArrayTag(value) : undefined;
  return tag !== undefined && sliceText(tag, 0, 5) !== "Float";
}
