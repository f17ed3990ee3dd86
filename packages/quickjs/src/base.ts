// What an engine does before it knows a surface, its own start and the prelude's evaluation, always leaves the same memory.
// It takes most of a cold worker's time, so that memory is made when the package is built, and images start from it.
import { readFile } from "node:fs/promises";
import { JSValueHandle, QuickJS, type QuickJSOptions, type Snapshot } from "quickjs-wasi";
import { evaluatePrelude } from "./channel.js";
import { createVmClock, type FixedReadings } from "./clock.js";
import { engineUnavailable, type Engine } from "./engine.js";
import { findEntropy, type EntropyPlaces } from "./entropy.js";
import { clearDeadStack, clearFreeMemory, firstChunkOf } from "./free-memory.js";
import { decodeDifference, findDifference, type DecodedDifference } from "./pages.js";
import { basePath } from "./package-files.js";
import { engineSettings, IMAGE_MEMORY_LIMIT_BYTES } from "./settings.js";

/** While a base or an image is built the clock stands still, so that every build of it has the same bytes. */
export const FROZEN: FixedReadings = { realtime: 1_000_000_000_123_456_789n, monotonic: 1_234_567_000n };

const HASH_BYTES = 32;
const WORDS = ["stackPointer", "runtimePtr", "contextPtr", "installToken", "randomState", "timeOrigin"] as const;
const WORD_BYTES = 4;
const HEADER_BYTES = HASH_BYTES + WORDS.length * WORD_BYTES;

/** A VM in which the prelude was evaluated and no surface is installed. */
export interface Base {
  readonly memory: DecodedDifference;
  readonly stackPointer: number;
  readonly runtimePtr: number;
  readonly contextPtr: number;
  /** Where the prelude's install function lives in the memory. */
  readonly installToken: number;
  /** Undefined when this engine is not as images need it. */
  readonly entropy: EntropyPlaces | undefined;
}

/**
 * The base that came with the package; one made now where that is missing or of another engine build.
 *
 * @throws {CodeModeError} `runtime_unavailable`.
 */
export async function loadBase(engine: Engine): Promise<Base> {
  try {
    const bytes = await readBaseFile();
    const base = bytes === undefined ? undefined : decodeBase(bytes, engine);
    return base ?? decodeBase(await bakeBase(engine), engine) ?? damaged();
  } catch (cause) {
    throw engineUnavailable(cause);
  }
}

/** Makes the bytes of a base. Equal engines give equal bytes. */
export async function bakeBase(engine: Engine): Promise<Uint8Array> {
  const prelude = await engine.prelude();
  const clock = createVmClock();
  clock.freeze(FROZEN);
  const vm = await QuickJS.create(
    engineSettings(engine, {
      wasi: clock.wasi,
      memoryLimit: IMAGE_MEMORY_LIMIT_BYTES,
      interruptHandler: () => false,
      onUnhandledRejection: () => {},
    }),
  );
  const installToken = vm.exportHandle(evaluatePrelude(vm, prelude));
  const { randomState, timeOrigin } = findEntropy(vm, Number(FROZEN.monotonic) / 1_000_000) ?? NOWHERE;
  vm.runGC();
  clearFreeMemory(vm, firstChunkOf(vm));
  clearDeadStack(vm);
  const { memory, ...words } = { ...vm.snapshot(), installToken, randomState, timeOrigin };
  vm.dispose();
  const difference = findDifference(memory, new Uint8Array(0)).encode();
  const encoded = Buffer.alloc(HEADER_BYTES + difference.byteLength);
  encoded.write(engine.hash, "hex");
  WORDS.forEach((name, index) => encoded.writeUInt32LE(words[name], HASH_BYTES + index * WORD_BYTES));
  encoded.set(difference, HEADER_BYTES);
  return encoded;
}

/** Undefined for a base of another engine build. The bytes are the package's own. */
export function decodeBase(bytes: Uint8Array, engine: Engine): Base | undefined {
  const encoded = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (encoded.toString("hex", 0, HASH_BYTES) !== engine.hash) return undefined;
  const memory = decodeDifference(encoded.subarray(HEADER_BYTES)) ?? damaged();
  const word = (name: (typeof WORDS)[number]) => encoded.readUInt32LE(HASH_BYTES + WORDS.indexOf(name) * WORD_BYTES);
  const entropy = { randomState: word("randomState"), timeOrigin: word("timeOrigin") };
  return {
    memory,
    stackPointer: word("stackPointer"),
    runtimePtr: word("runtimePtr"),
    contextPtr: word("contextPtr"),
    installToken: word("installToken"),
    entropy: entropy.randomState === NOWHERE.randomState ? undefined : entropy,
  };
}

/** A VM that goes on from a base. */
export async function restoreBase(base: Base, settings: QuickJSOptions): Promise<QuickJS> {
  const { memory, stackPointer, runtimePtr, contextPtr } = base;
  const empty = { byteLength: memory.byteLength, length: 0 } as unknown as Uint8Array;
  const snapshot: Snapshot = { memory: empty, stackPointer, runtimePtr, contextPtr, extensions: [] };
  const vm = await QuickJS.restore(snapshot, settings);
  const target = new Uint8Array(vm._getMemory().buffer).fill(0);
  memory.applyTo(target);
  return vm;
}

/** The prelude's install function in a VM that goes on from the base; once, because disposing it frees it in the VM. */
export function takeInstall({ installToken }: Base, vm: QuickJS): JSValueHandle {
  return new JSValueHandle(vm, installToken);
}

const NOWHERE: EntropyPlaces = { randomState: 0, timeOrigin: 0 };

async function readBaseFile(): Promise<Uint8Array | undefined> {
  try {
    return await readFile(basePath());
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function damaged(): never {
  throw new Error("the engine's base memory is damaged");
}
