// Native code of the engine can turn an exception into something a guest may catch: a rejection, a SuppressedError. So that
// exhausted memory ends a cell whatever it caught, the engine's function that throws the error also sets a byte of memory
// that nothing else uses. The engine has no hook for it; the few instructions are put into its code when it is loaded.
import type { QuickJS } from "quickjs-wasi";

const THROWING_FUNCTION = "JS_ThrowOutOfMemory";
/** In the part of the native stack that is never reached; below 64, so that it is one byte as an operand. */
const LATCH_ADDRESS = 16;
/** `i32.const address, i32.const 1, i32.store8` */
const SET_LATCH = [0x41, LATCH_ADDRESS, 0x41, 1, 0x3a, 0, 0];

const IMPORT_SECTION = 2;
const EXPORT_SECTION = 7;
const CODE_SECTION = 10;
const FUNCTION_KIND = 0;
const HEADER_BYTES = 8;

/** Whether the engine has run out of memory since its memory was last set up. */
export function isExhausted(vm: QuickJS): boolean {
  return new DataView(vm._getMemory().buffer).getUint8(LATCH_ADDRESS) !== 0;
}

/** The engine's code with the latch in it. @throws Error when the code is not as expected. */
export function withExhaustionLatch(code: Uint8Array): Uint8Array<ArrayBuffer> {
  const sections = readSections(code);
  const index = exportedFunction(code, sections) - importedFunctions(code, sections);
  const { sizeAt: sectionAt, start, end } = sectionOf(sections, CODE_SECTION);
  const reader = createReader(code, start);
  const bodies = reader.number();
  if (index < 0 || index >= bodies) throw new Error(`${THROWING_FUNCTION} is not a function of the engine`);
  for (let body = 0; body < index; body++) reader.skip(reader.number());
  const sizeAt = reader.at();
  const bodySize = reader.number();
  const bodyAt = reader.at();
  skipLocals(reader);
  const changed = concat(
    code.subarray(start, sizeAt),
    encodeNumber(bodySize + SET_LATCH.length),
    code.subarray(bodyAt, reader.at()),
    SET_LATCH,
    code.subarray(reader.at(), end),
  );
  return concat(code.subarray(0, sectionAt), encodeNumber(changed.length), changed, code.subarray(end));
}

interface Section {
  readonly id: number;
  readonly sizeAt: number;
  readonly start: number;
  readonly end: number;
}

function readSections(code: Uint8Array): Section[] {
  const reader = createReader(code, HEADER_BYTES);
  const sections: Section[] = [];
  while (reader.at() < code.length) {
    const id = reader.byte();
    const sizeAt = reader.at();
    const size = reader.number();
    sections.push({ id, sizeAt, start: reader.at(), end: reader.at() + size });
    reader.skip(size);
  }
  return sections;
}

function sectionOf(sections: readonly Section[], id: number): Section {
  const found = sections.find((section) => section.id === id);
  if (found === undefined) throw new Error(`the engine's code has no section ${id}`);
  return found;
}

/** Functions the engine imports come before its own in the numbering. It imports nothing else. */
function importedFunctions(code: Uint8Array, sections: readonly Section[]): number {
  const reader = createReader(code, sectionOf(sections, IMPORT_SECTION).start);
  const count = reader.number();
  for (let index = 0; index < count; index++) {
    reader.text();
    reader.text();
    if (reader.byte() !== FUNCTION_KIND) throw new Error("the engine imports more than functions");
    reader.number();
  }
  return count;
}

function exportedFunction(code: Uint8Array, sections: readonly Section[]): number {
  const reader = createReader(code, sectionOf(sections, EXPORT_SECTION).start);
  for (let left = reader.number(); left > 0; left--) {
    const name = reader.text();
    const kind = reader.byte();
    const index = reader.number();
    if (name === THROWING_FUNCTION && kind === FUNCTION_KIND) return index;
  }
  throw new Error(`the engine does not export ${THROWING_FUNCTION}`);
}

function skipLocals(reader: Reader): void {
  for (let groups = reader.number(); groups > 0; groups--) {
    reader.number();
    reader.byte();
  }
}

type Reader = ReturnType<typeof createReader>;

function createReader(code: Uint8Array, start: number) {
  let at = start;
  function byte(): number {
    const value = code[at++];
    if (value === undefined) throw new Error("the engine's code ends too early");
    return value;
  }
  /** Little-endian base 128. */
  function number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const part = byte();
      value += (part & 127) * factor;
      if (part < 128) return value;
    }
  }
  return {
    at: () => at,
    byte,
    number,
    skip(bytes: number) {
      at += bytes;
    },
    text(): string {
      const length = number();
      at += length;
      return Buffer.from(code.subarray(at - length, at)).toString();
    },
  };
}

function encodeNumber(value: number): number[] {
  return value < 128 ? [value] : [128 + (value % 128), ...encodeNumber(Math.floor(value / 128))];
}

function concat(...parts: (Uint8Array | number[])[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat(parts.map((part) => Uint8Array.from(part))));
}
