import { PreparedSourceSchema } from "./source.js";
import { Type, type Static } from "./schema-builder.js";

export const SNAPSHOT_FORMAT_VERSION = 1;

export const SnapshotCompressionSchema = Type.Object({
  format: Type.Literal("deflate"),
  /** Length of the memory once it is decompressed, in bytes. Untrusted until it is compared with a limit. */
  memoryBytes: Type.Integer({ minimum: 0 }),
});
/** How a store has compressed a parked VM's memory. */
export type SnapshotCompression = Static<typeof SnapshotCompressionSchema>;

export const VmSnapshotSchema = Type.Object({
  formatVersion: Type.Integer(),
  /** Hash of the engine build; only the same build can restore. */
  engine: Type.String(),
  /** Id of the image the memory is a difference from; absent when the memory is whole. */
  imageId: Type.Optional(Type.String()),
  /** The VM's linear memory, whole or as a difference in the engine adapter's own encoding. */
  memory: Type.Unsafe<Uint8Array>({}),
  /** Set while a store keeps `memory` compressed. No engine parks or restores such a snapshot. */
  compression: Type.Optional(SnapshotCompressionSchema),
  stackPointer: Type.Integer(),
  runtimePtr: Type.Integer(),
  contextPtr: Type.Integer(),
  /** Where the prelude's channel object lives in the memory. */
  channelToken: Type.Integer(),
  /** CRC-32 of memory and pointers as they were when the VM was parked, in the engine adapter's own order. */
  checksum: Type.Integer({ minimum: 0, maximum: 0xffffffff }),
  /** Bytes this snapshot counts against `maxSnapshotBytes`: memory, before any compression, and metadata. */
  bytes: Type.Integer({ minimum: 0 }),
});
/** A parked VM. Treat `memory` as consumed once it was handed on. */
export type VmSnapshot = Static<typeof VmSnapshotSchema>;

export const ParkedCellSchema = Type.Object({ snapshot: VmSnapshotSchema, source: PreparedSourceSchema });
/** A suspended cell, complete: any worker with the same engine build can go on with it. */
export type ParkedCell = Static<typeof ParkedCellSchema>;

/** Who owns a run. */
export interface RunScope {
  readonly agentRunId: string;
  readonly sessionId?: string;
  readonly agentId?: string;
}

/** What a store keeps for one parked run. Serialisable. */
export interface SnapshotRecord {
  readonly runId: string;
  readonly scope: RunScope;
  readonly parked: ParkedCell;
  /** Life of the record from now on, in ms. */
  readonly ttlMs: number;
}

/** Exclusive right to resume one run. It keeps the run's slot until it is given back. */
export interface SnapshotLease {
  readonly runId: string;
  readonly leaseId: string;
}

export type ParkOutcome =
  | { readonly status: "parked" }
  | { readonly status: "refused"; readonly reason: "too_many" | "session_quota" | "lease_lost" };

/** Refusals in the order in which they are checked. */
export type AcquireOutcome =
  | { readonly status: "acquired"; readonly lease: SnapshotLease }
  | { readonly status: "refused"; readonly reason: "unavailable" | "wrong_agent_run" | "wrong_session" | "in_flight" };

/** Where parked runs live. Invariant: at most one lease per run. All caps and scope checks are atomic. */
export interface SnapshotStore {
  /** Stores a run; with `lease`, in the slot that lease holds, which ends the lease. */
  park(record: SnapshotRecord, lease?: SnapshotLease): Promise<ParkOutcome>;
  /** Takes the lease of a run. A leased run does not expire; giving an expired one back ends it. */
  acquire(runId: string, scope: RunScope): Promise<AcquireOutcome>;
  /** The parked cell of a leased run; undefined when it expired or was dropped meanwhile. The caller must not change it. */
  read(lease: SnapshotLease): Promise<ParkedCell | undefined>;
  /** Gives the lease back and leaves the run parked as it was. */
  release(lease: SnapshotLease): Promise<void>;
  /** Removes a run, leased or not, and frees its slot. Unknown runs are ignored. */
  drop(runId: string): Promise<void>;
  /** Runs held for a session, parked or leased. */
  list(sessionId: string): Promise<readonly string[]>;
  /** Removes everything. */
  close(): Promise<void>;
}
