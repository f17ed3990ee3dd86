export { ESCAPE_PROGRAMS } from "./escape-programs.js";
export { createFakeClock, type FakeClock } from "./fake-clock.js";
export { HOSTILE_SURFACE, answerHostile, type HostileOutcome } from "./hostile-cells/hostile-cell.js";
// prettier-ignore
export { describeHostileCells, describeHostileEndings, type HostileRunOptions, type RunHostileCell } from "./hostile-cells-contract.js";
export { VM_LIMITS, describeRuntimeContract, repliesTo, sourceOf, surfaceOf } from "./runtime-contract.js";
// prettier-ignore
export { describeSnapshotStoreContract, parkedCellOf, snapshotRecordOf, type SnapshotStoreSetup } from "./snapshot-store-contract.js";
