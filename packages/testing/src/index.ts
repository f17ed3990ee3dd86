export { createFakeClock, type FakeClock } from "./fake-clock.js";
export { VM_LIMITS, describeRuntimeContract, repliesTo, sourceOf, surfaceOf } from "./runtime-contract.js";
// prettier-ignore
export { describeSnapshotStoreContract, parkedCellOf, snapshotRecordOf, type SnapshotStoreSetup } from "./snapshot-store-contract.js";
