/** File name of the prelude in guest stack traces. */
export const PRELUDE_FILE_NAME = "codemode:prelude.js";
