/** What stacks call the prelude. */
export const PRELUDE_FILE_NAME = "codemode:prelude.js";
/** What stacks call the chunks of the guest library. */
export const LIBRARY_FILE_NAME = "codemode:library.js";
