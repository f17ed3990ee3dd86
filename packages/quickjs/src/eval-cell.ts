import { EvalFlags, type JSValueHandle, type QuickJS } from "quickjs-wasi";
import { CELL_FILE_NAMES, CELL_WRAPPER, type EnginePosition, type PreparedSource } from "@codemode/protocol";

/**
 * Compiles the cell to a function without running any of it. The caller owns the handle.
 *
 * @throws the engine's exception when the source is not the body of a strict async function.
 */
export function compileCell(vm: QuickJS, source: PreparedSource): JSValueHandle {
  const text = CELL_WRAPPER.before + source.code + CELL_WRAPPER.after;
  return vm.evalCode(text, CELL_FILE_NAMES[source.language], EvalFlags.STRICT);
}

const FRAME = /codemode:cell\.[jt]s:(\d+):(\d+)/;

/**
 * The first place in the cell that a stack text names, undefined where there is none. The prelude writes stacks, with lines
 * of the cell's code.
 */
export function positionInStack(stack: string): EnginePosition | undefined {
  const found = FRAME.exec(stack);
  if (found === null) return undefined;
  const line = Number(found[1]);
  const columnBytes = Number(found[2]);
  return line >= 0 && columnBytes >= 1 && Number.isSafeInteger(line) ? { line, columnBytes } : undefined;
}
