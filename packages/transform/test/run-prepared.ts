import { runInNewContext } from "node:vm";
import type { PreparedSource } from "@codemode/protocol";

/** Evaluates a prepared source the way the engine does: strict, as the body of an async function. */
export async function runPrepared(prepared: PreparedSource, globals: Record<string, unknown> = {}): Promise<unknown> {
  const program = `"use strict";(async function () {${prepared.code}\n})`;
  const cell = runInNewContext(program, globals) as () => Promise<unknown>;
  return cell();
}
