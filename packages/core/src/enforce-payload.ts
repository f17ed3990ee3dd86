import { CodeModeError } from "@codemode/protocol";
import { debugViewOf } from "./inspected-run.js";
import { CONTROL_TOOLS } from "./model-surface.js";
import type { CodeModeRun } from "./options.js";

/**
 * Checks a provider request right before it is sent: exactly one exec, exactly one wait, and beside them only the run's
 * direct tools, each at most once. Does nothing for a run that is not engaged. Fails closed: a payload whose tools cannot
 * be read is refused. Names of tools that were not approved are not told.
 *
 * @throws {CodeModeError} `payload_rejected`
 */
export function enforcePayload(
  payload: { readonly tools: readonly { readonly name: string }[] },
  run: CodeModeRun,
): void {
  debugViewOf(run)?.payload(payload);
  if (!run.stats().codeModeEngaged) return;
  const names = readNames(payload);
  for (const control of CONTROL_TOOLS) {
    const count = names.filter((name) => name === control).length;
    if (count !== 1) reject(`it holds ${control} ${count} times instead of once`);
  }
  const approved = new Set(run.modelTools.map(({ name }) => name));
  const strangers = names.filter((name) => !approved.has(name));
  if (strangers.length > 0) reject(`it exposes ${strangers.length} tool(s) that code mode did not approve`);
  const repeated = names.length - new Set(names).size;
  if (repeated > 0) reject(`it repeats ${repeated} of its direct tools`);
}

/** The names, each read once: nothing says that a payload is made of plain objects. */
function readNames(payload: unknown): readonly string[] {
  let names: unknown;
  try {
    names = Array.from(
      (payload as { readonly tools: readonly { readonly name: unknown }[] }).tools,
      ({ name }) => name,
    );
  } catch {
    reject("its tools cannot be read");
  }
  if (isNames(names)) return names;
  return reject("it holds a tool without a name");
}

function isNames(names: unknown): names is readonly string[] {
  return Array.isArray(names) && names.every((name) => typeof name === "string");
}

function reject(problem: string): never {
  throw new CodeModeError("payload_rejected", `The request to the model was refused: ${problem}.`, { problem });
}
