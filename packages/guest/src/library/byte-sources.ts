import {
  TypeErrorConstructor,
  Uint8ArrayConstructor,
  base64ToBinary,
  bufferBytes,
  bytesToBase64,
  isView,
  typedArrayBuffer,
  typedArrayBytes,
  typedArrayOffset,
  typedArrayTag,
  viewBuffer,
  viewBytes,
  viewOffset,
} from "../library-primordials.js";

type Bytes = Uint8Array<ArrayBuffer>;

/** The bytes of an ArrayBuffer or of a view on one, not copied. */
export function bytesOf(source: unknown, caller: string): Bytes {
  if (isView(source)) {
    return typedArrayTag(source) === undefined
      ? new Uint8ArrayConstructor(viewBuffer(source), viewOffset(source), viewBytes(source))
      : new Uint8ArrayConstructor(typedArrayBuffer(source), typedArrayOffset(source), typedArrayBytes(source));
  }
  try {
    return new Uint8ArrayConstructor(source as ArrayBuffer, 0, bufferBytes(source));
  } catch {
    throw new TypeErrorConstructor(`${caller} takes an ArrayBuffer or a view on one.`);
  }
}

/** The bytes as text with one character a byte. */
export function binaryOfBytes(bytes: Bytes): string {
  return base64ToBinary(bytesToBase64(bytes));
}
