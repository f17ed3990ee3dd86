import { randomBytes } from "node:crypto";
import type { CellSeed } from "@codemode/protocol";
import type { WasiOptions } from "quickjs-wasi";

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** The VM's clock. QuickJS seeds `Math.random` from it once, while the context is created. */
export interface VmClock {
  readonly wasi: WasiOptions;
  /** From now on the clock tells the time instead of the seed. */
  startTelling(): void;
}

/**
 * A clock whose first readings are the seed of `Math.random`: fresh entropy, or `seed.random`. Afterwards it tells the
 * real time, or always `seed.now`. Monotonic readings are comparable between threads.
 */
export function createVmClock(seed: CellSeed | undefined): VmClock {
  let reading = seed === undefined ? randomBytes(8).readBigUInt64LE() : seedBits(seed.random);
  let isTelling = false;
  return {
    wasi: (memory) => ({
      clock_time_get(clockId: number, _precision: bigint, resultPointer: number) {
        if (isTelling) reading = now(clockId, seed);
        new DataView(memory.buffer).setBigUint64(resultPointer, reading, true);
        return 0;
      },
      random_get(pointer: number, length: number) {
        new Uint8Array(memory.buffer, pointer, length).set(randomBytes(length));
        return 0;
      },
    }),
    startTelling() {
      isTelling = true;
    },
  };
}

const MONOTONIC = 1;

function now(clockId: number, seed: CellSeed | undefined): bigint {
  if (seed !== undefined) return BigInt(Math.trunc(seed.now)) * NANOSECONDS_PER_MILLISECOND;
  const milliseconds = clockId === MONOTONIC ? performance.timeOrigin + performance.now() : Date.now();
  return BigInt(Math.round(milliseconds * 1_000)) * 1_000n;
}

/** Any number as 64 bits that are not zero; equal numbers give equal bits. */
function seedBits(seed: number): bigint {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, seed);
  return bytes.getBigUint64(0) || 1n;
}
