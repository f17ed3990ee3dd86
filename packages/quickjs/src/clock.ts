import { randomBytes } from "node:crypto";
import type { CellSeed } from "@codemode/protocol";
import type { WasiOptions } from "quickjs-wasi";

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;
const MONOTONIC = 1;

/** Fixed readings, in ns since the epoch and since an arbitrary moment. */
export interface FixedReadings {
  readonly realtime: bigint;
  readonly monotonic: bigint;
}

/** The clock of one engine instance. Monotonic readings are comparable between threads. */
export interface VmClock {
  readonly wasi: WasiOptions;
  /** From now on every reading is the same, and what the engine asks of randomness is zero: a build is repeatable. */
  freeze(readings: FixedReadings): void;
  /** From now on, while a context is created, readings are the seed of its `Math.random`: fresh entropy, or `seed.random`. */
  seedWith(seed: CellSeed | undefined): void;
  /** From now on the clock tells the real time, or always `seed.now`. */
  tell(seed: CellSeed | undefined): void;
  /** Whether it tells the time of a seed. */
  isSeeded(): boolean;
}

export function createVmClock(): VmClock {
  let read = (clockId: number): bigint => realTime(clockId);
  let isFrozen = false;
  let isSeeded = false;
  return {
    wasi: (memory) => ({
      clock_time_get(clockId: number, _precision: bigint, resultPointer: number) {
        new DataView(memory.buffer).setBigUint64(resultPointer, read(clockId), true);
        return 0;
      },
      random_get(pointer: number, length: number) {
        const target = new Uint8Array(memory.buffer, pointer, length);
        if (isFrozen) target.fill(0);
        else target.set(randomBytes(length));
        return 0;
      },
    }),
    freeze({ realtime, monotonic }) {
      isFrozen = true;
      read = (clockId) => (clockId === MONOTONIC ? monotonic : realtime);
    },
    seedWith(seed) {
      const reading = seed === undefined ? randomBytes(8).readBigUInt64LE() : seedBits(seed.random);
      const monotonic = BigInt(Math.round(monotonicMs(seed) * 1_000)) * 1_000n;
      read = (clockId) => (clockId === MONOTONIC ? monotonic : reading);
    },
    tell(seed) {
      isFrozen = false;
      isSeeded = seed !== undefined;
      const fixed = seed === undefined ? undefined : BigInt(Math.trunc(seed.now)) * NANOSECONDS_PER_MILLISECOND;
      read = fixed === undefined ? realTime : () => fixed;
    },
    isSeeded: () => isSeeded,
  };
}

/** What `performance.now()` counts from zero for a cell that starts now, in ms. */
export function monotonicMs(seed: CellSeed | undefined): number {
  return seed === undefined ? performance.timeOrigin + performance.now() : Math.trunc(seed.now);
}

function realTime(clockId: number): bigint {
  const milliseconds = clockId === MONOTONIC ? monotonicMs(undefined) : Date.now();
  return BigInt(Math.round(milliseconds * 1_000)) * 1_000n;
}

/** Any number as 64 bits that are not zero; equal numbers give equal bits. */
function seedBits(seed: number): bigint {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, seed);
  return bytes.getBigUint64(0) || 1n;
}
