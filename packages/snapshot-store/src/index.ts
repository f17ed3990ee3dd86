export { decodeEnvelope, encodeEnvelope, type EnvelopeExpectation } from "./envelope.js";
export { createMemorySnapshotStore, type MemorySnapshotStoreOptions } from "./memory-store.js";
