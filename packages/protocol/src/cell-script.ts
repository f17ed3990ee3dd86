import type { CellLanguage } from "./cell.js";

/** File names a cell has in guest stack traces. */
export const CELL_FILE_NAMES: Readonly<Record<CellLanguage, string>> = {
  javascript: "codemode:cell.js",
  typescript: "codemode:cell.ts",
};

/**
 * What stands around a cell's code when it is parsed and when the engine evaluates it. An async function, not an arrow:
 * an arrow would keep `this`. The code starts on a line of its own, because the engine counts columns of a script's first
 * line differently; a line break ends a trailing line comment.
 */
export const CELL_WRAPPER = { before: "(async function () {\n", after: "\n})" } as const;

/** Lines of a cell's script before its code. */
export const LINES_BEFORE_CODE = 1;
