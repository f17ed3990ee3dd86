import { EvalFlags, type JSValueHandle, type QuickJS } from "quickjs-wasi";
import { CELL_FILE_NAMES, type EnginePosition, type PreparedSource } from "@codemode/protocol";

// The one fixed template around a cell. An async function, not an arrow: an arrow would keep `this`. The closing line
// break ends a trailing line comment.
const HEAD = "(async function () {";
const TAIL = "\n})";

/**
 * Compiles the cell to a function without running any of it. The caller owns the handle.
 *
 * @throws the engine's exception when the source is not the body of a strict async function.
 */
export function compileCell(vm: QuickJS, source: PreparedSource): JSValueHandle {
  return vm.evalCode(HEAD + source.code + TAIL, CELL_FILE_NAMES[source.language], EvalFlags.STRICT);
}

const FRAME = /codemode:cell\.[jt]s:(\d+):(\d+)/;

/** The first place in the cell that a stack text names, relative to the cell's code. */
export function positionInStack(stack: string): EnginePosition | undefined {
  const found = FRAME.exec(stack);
  if (found === null) return undefined;
  const line = Number(found[1]);
  const columnBytes = Number(found[2]) - (line === 1 ? HEAD.length : 0);
  return line >= 1 && columnBytes >= 1 && Number.isSafeInteger(line) ? { line, columnBytes } : undefined;
}
