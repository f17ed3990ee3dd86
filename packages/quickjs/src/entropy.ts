// QuickJS keeps the state of `Math.random` (xorshift64*, one word) and the zero of `performance.now` in its context and
// offers no setter. Both are found by what they hold, in a VM whose clock is frozen, and written in place. An engine in
// which they cannot be found is not used with images; `test/engine-facts.test.ts` says so first.
import { randomBytes } from "node:crypto";
import type { QuickJS } from "quickjs-wasi";
import type { CellSeed } from "@codemode/protocol";
import { monotonicMs } from "./clock.js";

/** Bytes of the context that are searched. */
const CONTEXT_BYTES = 512;
const WORD_BYTES = 8;
const MASK = (1n << 64n) - 1n;

/** Where a context keeps what makes cells differ: addresses in the VM's memory. */
export interface EntropyPlaces {
  readonly randomState: number;
  /** A double, in ms. */
  readonly timeOrigin: number;
}

/** Finds both places; undefined when the engine is not as expected. Draws one random number. */
export function findEntropy(vm: QuickJS, frozenMonotonicMs: number): EntropyPlaces | undefined {
  const context = vm._getExports().qjs_get_context_ptr();
  const before = contextWords(vm, context);
  vm.evalCode("Math.random()").dispose();
  const after = contextWords(vm, context);
  const states = before.flatMap((word, index) => (word !== 0n && nextState(word) === after[index] ? [index] : []));
  const origins = before.flatMap((word, index) => (doubleOf(word) === frozenMonotonicMs ? [index] : []));
  const [state, origin] = [states[0], origins[0]];
  if (states.length !== 1 || origins.length !== 1 || state === undefined || origin === undefined) return undefined;
  return { randomState: context + state * WORD_BYTES, timeOrigin: context + origin * WORD_BYTES };
}

/** Gives a VM that starts a cell its own random sequence and its own zero of time. */
export function plantEntropy(vm: QuickJS, places: EntropyPlaces, seed: CellSeed | undefined): void {
  const view = new DataView(vm._getMemory().buffer);
  view.setBigUint64(places.randomState, seed === undefined ? freshState() : stateOfSeed(seed.random), true);
  view.setFloat64(places.timeOrigin, monotonicMs(seed), true);
}

function contextWords(vm: QuickJS, context: number): bigint[] {
  const view = new DataView(vm._getMemory().buffer);
  return Array.from({ length: CONTEXT_BYTES / WORD_BYTES }, (_, index) =>
    view.getBigUint64(context + index * WORD_BYTES, true),
  );
}

function nextState(state: bigint): bigint {
  let next = state;
  next ^= next >> 12n;
  next ^= (next << 25n) & MASK;
  next ^= next >> 27n;
  return next & MASK;
}

function doubleOf(word: bigint): number {
  const view = new DataView(new ArrayBuffer(WORD_BYTES));
  view.setBigUint64(0, word);
  return view.getFloat64(0);
}

/** The state must not be zero: xorshift would stay there. */
function freshState(): bigint {
  return randomBytes(WORD_BYTES).readBigUInt64LE() || 1n;
}

/** Equal seeds give equal states; near seeds give far ones (the finaliser of SplitMix64). */
function stateOfSeed(seed: number): bigint {
  const view = new DataView(new ArrayBuffer(WORD_BYTES));
  view.setFloat64(0, seed);
  let state = (view.getBigUint64(0) + 0x9e3779b97f4a7c15n) & MASK;
  state = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  state = ((state ^ (state >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return state ^ (state >> 31n) || 1n;
}
