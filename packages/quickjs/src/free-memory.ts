// Memory that is free, or dead stack, keeps its bytes. Neither is stored when a VM is parked: free memory is cleared before,
// dead stack is left out.
// The allocator is dlmalloc (wasi-libc): chunks lie side by side, each with its size and two flags in its head.
import type { QuickJS } from "quickjs-wasi";

const HEAD_AT = 4;
const CURRENT_IN_USE = 2;
const FLAG_BITS = 7;
const MIN_CHUNK_BYTES = 16;
/** Fields of a free chunk that the allocator reads: sizes, list and tree links. */
const LINK_BYTES = 32;

/**
 * Clears what is free on the heap, from the chunk that starts at `firstChunk` on. Changes nothing, and returns false, when
 * the heap does not look as expected.
 */
export function clearFreeMemory(vm: QuickJS, firstChunk: number): boolean {
  const { buffer } = vm._getMemory();
  const memory = new Uint8Array(buffer);
  const free = freeStretches(buffer, firstChunk);
  for (const [start, end] of free ?? []) memory.fill(0, start, end);
  return free !== undefined;
}

/** Walks the chunks, which end exactly where the memory does. */
function freeStretches(buffer: ArrayBuffer, firstChunk: number): [start: number, end: number][] | undefined {
  const view = new DataView(buffer);
  const free: [start: number, end: number][] = [];
  let chunk = firstChunk;
  while (chunk !== buffer.byteLength) {
    if (chunk % 8 !== 0 || chunk < 0 || chunk + MIN_CHUNK_BYTES > buffer.byteLength) return undefined;
    const head = view.getUint32(chunk + HEAD_AT, true);
    const end = chunk + (head & ~FLAG_BITS);
    if (end < chunk + MIN_CHUNK_BYTES || end > buffer.byteLength) return undefined;
    if ((head & CURRENT_IN_USE) === 0 && end !== buffer.byteLength) free.push([chunk + LINK_BYTES, end]);
    chunk = end;
  }
  return free.filter(([start, end]) => start < end);
}

/** The engine's own stack lies at the bottom of the memory and grows down; this much of it is never reached. */
const UNREACHED_STACK_BYTES = 65_536;
const UNREACHED_STACK = Buffer.alloc(UNREACHED_STACK_BYTES);

/**
 * How much of the memory's bottom is dead while nothing runs: the native stack below the stack pointer. 0 when the stack
 * does not lie at the bottom.
 */
export function deadStackBytes(vm: QuickJS): number {
  const bottom = new Uint8Array(vm._getMemory().buffer, 0, UNREACHED_STACK_BYTES);
  return Buffer.compare(bottom, UNREACHED_STACK) === 0 ? vm._getExports().__stack_pointer.value : 0;
}

/** Clears the dead native stack. False when there is none to be found. */
export function clearDeadStack(vm: QuickJS): boolean {
  const bytes = deadStackBytes(vm);
  new Uint8Array(vm._getMemory().buffer, 0, bytes).fill(0);
  return bytes > 0;
}

/** The chunk of the engine's runtime: the first that the engine allocates, so all of the guest's lie after it. */
export function firstChunkOf(vm: QuickJS): number {
  return vm._getExports().qjs_get_runtime_ptr() - 2 * HEAD_AT;
}
