export type { Channel } from "./channel.js";
export type { HostFunctions } from "./host-functions.js";
export { PRELUDE_FILE_NAME } from "./prelude-file-name.js";
export { LIBRARY_CHUNKS, PRELUDE_HASH, PRELUDE_TEXT } from "./prelude-text.js";
