export { createCompressingStore, type CompressedRun, type CompressingStoreOptions } from "./compressing-store.js";
export type { MemoryCodec } from "./compression.js";
export { decodeEnvelope, encodeEnvelope, type EnvelopeExpectation } from "./envelope.js";
export type { StoreClock } from "./idle-runs.js";
export { createMemorySnapshotStore, type MemorySnapshotStoreOptions } from "./memory-store.js";
