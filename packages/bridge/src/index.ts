// prettier-ignore
export { boundJson, boundJsonText, toJsonValue, type BoundedJson, type BoundedJsonText } from "./bounded-json.js";
export { cutUtf8, utf8Bytes } from "./byte-length.js";
export { encodeJson } from "./encode-json.js";
export { sampleJson } from "./json-sample.js";
export { DEFAULT_MAX_DEPTH, toJsonText, writeJsonText, type JsonTextOptions } from "./json-text.js";
export { BRIDGE_METHODS } from "./methods.js";
// prettier-ignore
export { type ImageClaim } from "./output-item.js";
// prettier-ignore
export { createOutputLedger, type FinalPart, type LedgerDraft, type LedgerResult, type OutputLedger, type OutputLedgerOptions } from "./output-ledger.js";
export { toPlainError } from "./plain-error.js";
export { decodeInput, decodeRequests } from "./request.js";
export { truncateError } from "./truncate-error.js";
export { markerFor, type TruncationMarker } from "./truncation-marker.js";
