export type { Channel } from "./channel.js";
export { LIBRARY_FILE_NAME, PRELUDE_FILE_NAME } from "./file-names.js";
export { LIBRARY_CHUNKS, PRELUDE_HASH, PRELUDE_TEXT } from "./prelude-text.js";
