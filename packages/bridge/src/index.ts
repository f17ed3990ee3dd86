export { cutUtf8, utf8Bytes } from "./byte-length.js";
export { encodeJson } from "./encode-json.js";
export { DEFAULT_MAX_DEPTH, toJsonText, writeJsonText, type JsonTextOptions } from "./json-text.js";
