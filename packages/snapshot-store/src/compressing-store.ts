import {
  CodeModeError,
  type ParkedCell,
  type RunScope,
  type SnapshotLease,
  type SnapshotStore,
} from "@codemode/protocol";
import { compressCell, decompressCell, DEFLATE, type MemoryCodec } from "./compression.js";
import { createIdleRuns, SYSTEM_CLOCK, type StoreClock } from "./idle-runs.js";

export interface CompressingStoreOptions {
  /** How long a run lies untouched before its memory is compressed, in ms. Default 30_000, range 0 to 2_147_483_647. */
  readonly compressParkedAfterMs?: number;
  /** Largest memory a run may have once it is decompressed, in bytes. Default 256 MiB, the largest `maxSnapshotBytes`. */
  readonly maxMemoryBytes?: number;
  /** Default the platform's. */
  readonly clock?: StoreClock;
  /** Default deflate, by the platform's own streams. */
  readonly codec?: MemoryCodec;
  /** Told of each run that was compressed. Must not throw. */
  readonly onCompress?: (compressed: CompressedRun) => void;
  /** Told why a run could not be compressed; it stays as it was. Must not throw. Default: nobody is told. */
  readonly onFault?: (error: unknown) => void;
}

export interface CompressedRun {
  readonly runId: string;
  /** What the run counts against `maxSnapshotBytes`, in bytes: compression does not change it. */
  readonly bytes: number;
  /** What is left of it in the store, in bytes. */
  readonly storedBytes: number;
}

const DEFAULT_COMPRESS_AFTER_MS = 30_000;
const DEFAULT_MAX_MEMORY_BYTES = 256 * 1024 * 1024;

/** What is known of a run while it lies uncompressed. */
interface IdleRun {
  readonly runId: string;
  readonly scope: RunScope;
  readonly expiresAt: number;
}

/**
 * A store that compresses, off this thread, what lies in `inner` for long; readers get it as it was parked. Takes over
 * `inner`: use it no other way.
 *
 * While a run is compressed its lease is taken, and given back as soon as somebody wants the run: nobody waits for a
 * compression, and nobody is told `in_flight` because of one. Expiry is the inner store's own and is not moved.
 *
 * @throws {CodeModeError} `invalid_argument`. `read` rejects with `snapshot_incompatible` for compressed memory that is
 * damaged or larger than it says.
 */
export function createCompressingStore(inner: SnapshotStore, options: CompressingStoreOptions = {}): SnapshotStore {
  const { clock = SYSTEM_CLOCK, codec = DEFLATE, onFault = () => {} } = options;
  const afterMs = inRange(
    "compressParkedAfterMs",
    options.compressParkedAfterMs ?? DEFAULT_COMPRESS_AFTER_MS,
    2 ** 31 - 1,
  );
  const maxMemoryBytes = inRange("maxMemoryBytes", options.maxMemoryBytes ?? DEFAULT_MAX_MEMORY_BYTES, 2 ** 32);
  const idle = createIdleRuns<IdleRun>({
    afterMs,
    clock,
    work: (run, needed) =>
      compressRun(run, { inner, clock, codec, needed })
        .then((compressed) => compressed && options.onCompress?.(compressed))
        .catch(onFault),
  });

  return {
    async park(record, lease) {
      const { runId, scope, ttlMs, parked } = record;
      if (parked.snapshot.compression !== undefined) {
        throw invalidArgument("record.parked.snapshot.compression", "is for the store to set");
      }
      const expiresAt = clock.now() + ttlMs;
      const outcome = await inner.park(record, lease);
      if (outcome.status === "parked") idle.add({ runId, scope, expiresAt });
      return outcome;
    },
    async acquire(runId, scope) {
      const over = idle.hold(runId);
      if (over !== undefined) await over;
      const outcome = await inner.acquire(runId, scope);
      // Whoever has the lease of a run in flight gives it back.
      if (outcome.status === "refused" && outcome.reason !== "in_flight") idle.release(runId);
      return outcome;
    },
    async read(lease) {
      const parked = await inner.read(lease);
      return parked && decompressCell(parked, { codec, maxMemoryBytes });
    },
    async release(lease) {
      await inner.release(lease);
      idle.release(lease.runId);
    },
    drop(runId) {
      idle.remove(runId);
      return inner.drop(runId);
    },
    list: (sessionId) => inner.list(sessionId),
    close() {
      idle.clear();
      return inner.close();
    },
  };
}

interface CompressionParts {
  readonly inner: SnapshotStore;
  readonly clock: StoreClock;
  readonly codec: MemoryCodec;
  /** Resolves when somebody wants the run. */
  readonly needed: Promise<undefined>;
}

/** Puts a run's compressed cell in the place of the one that is there, unless it is needed, over or no smaller by then. */
async function compressRun(
  { runId, scope, expiresAt }: IdleRun,
  { inner, clock, codec, needed }: CompressionParts,
): Promise<CompressedRun | undefined> {
  const acquired = await inner.acquire(runId, scope);
  if (acquired.status === "refused") return undefined;
  const { lease } = acquired;
  let isStored = false;
  try {
    const parked = await Promise.race([compressStored(inner, { lease, codec }), needed]);
    const ttlMs = expiresAt - clock.now();
    if (parked === undefined || ttlMs <= 0) return undefined;
    isStored = (await inner.park({ runId, scope, parked, ttlMs }, lease)).status === "parked";
    return isStored ? { runId, bytes: parked.snapshot.bytes, storedBytes: storedBytesOf(parked) } : undefined;
  } finally {
    if (!isStored) await inner.release(lease);
  }
}

async function compressStored(
  inner: SnapshotStore,
  { lease, codec }: { readonly lease: SnapshotLease; readonly codec: MemoryCodec },
): Promise<ParkedCell | undefined> {
  const parked = await inner.read(lease);
  return parked && compressCell(parked, codec);
}

function storedBytesOf({ snapshot }: ParkedCell): number {
  const saved = (snapshot.compression?.memoryBytes ?? 0) - snapshot.memory.byteLength;
  return snapshot.bytes - saved;
}

function inRange(path: string, value: number, max: number): number {
  if (value >= 0 && value <= max) return value;
  throw invalidArgument(path, `must be from 0 to ${max}, got ${value}`);
}

function invalidArgument(path: string, problem: string): CodeModeError {
  return new CodeModeError("invalid_argument", `${path}: ${problem}`, { path, problem });
}
