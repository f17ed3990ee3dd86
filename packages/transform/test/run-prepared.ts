import { runInNewContext } from "node:vm";
import { CELL_WRAPPER, type PreparedSource } from "@codemode/protocol";

/** Evaluates a prepared source the way the engine does: strict, as the body of an async function. */
export async function runPrepared(prepared: PreparedSource, globals: Record<string, unknown> = {}): Promise<unknown> {
  const program = `"use strict";${CELL_WRAPPER.before}${prepared.code}${CELL_WRAPPER.after}`;
  const cell = runInNewContext(program, globals) as () => Promise<unknown>;
  return cell();
}
