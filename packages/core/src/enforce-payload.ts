import { CodeModeError } from "@codemode/protocol";
import { CONTROL_TOOLS } from "./model-surface.js";
import type { CodeModeRun } from "./options.js";

/**
 * Checks a provider request right before it is sent: exactly one exec, exactly one wait, and beside them only the run's
 * direct tools. Does nothing for a run that is not engaged. Fails closed.
 *
 * @throws {CodeModeError} `payload_rejected`
 */
export function enforcePayload(
  payload: { readonly tools: readonly { readonly name: string }[] },
  run: CodeModeRun,
): void {
  if (!run.stats().codeModeEngaged) return;
  const names = payload.tools.map(({ name }) => name);
  for (const control of CONTROL_TOOLS) {
    const count = names.filter((name) => name === control).length;
    if (count !== 1) reject(`it holds ${control} ${count} times instead of once`);
  }
  const approved = new Set(run.modelTools.map(({ name }) => name));
  const strangers = names.filter((name) => !approved.has(name));
  if (strangers.length > 0) reject(`it exposes ${strangers.length} tool(s) that code mode did not approve`);
}

function reject(problem: string): never {
  throw new CodeModeError("payload_rejected", `The request to the model was refused: ${problem}.`, { problem });
}
