export {};
export { VM_LIMITS, describeRuntimeContract, repliesTo, sourceOf, surfaceOf } from "./runtime-contract.js";
