import type { CodeModeResult, ExecInput } from "@codemode/protocol";
import type { ToolSpan } from "@codemode/telemetry";
import { refusedResult } from "./assemble-result.js";
import { beginCall, type BegunCall } from "./begin-call.js";
import { conductCall } from "./call.js";
import { Cell } from "./cell.js";
import { driveCell } from "./drive.js";
import { admitExec, type AdmittedExec } from "./exec-input.js";
import { abortedFailure } from "./failures.js";
import type { CallContext } from "./options.js";
import type { RunContext } from "./run-context.js";
import type { RunRegistry } from "./run-registry.js";

/** Where an exec or wait is made. */
export interface CallSetting {
  readonly run: RunContext;
  readonly registry: RunRegistry;
  /** Only with a tracer. */
  readonly span: ToolSpan | undefined;
}

/** Starts a cell and goes on with it until it ends or must wait. Guest failures and refusals are results. */
export async function exec(
  { run, registry, span }: CallSetting,
  input: ExecInput,
  context: CallContext,
): Promise<CodeModeResult> {
  const call = beginCall(run, context, span);
  try {
    const admission = await admitExec(run, input, call);
    if (!admission.ok) return refusedResult(run, admission.failure);
    const { closedReason } = run.lifetime;
    if (closedReason !== undefined) return refusedResult(run, abortedFailure(closedReason));
    return await startCell({ run, registry, call }, admission.exec);
  } finally {
    call.deadline.dispose();
  }
}

function startCell(
  { run, registry, call }: { readonly run: RunContext; readonly registry: RunRegistry; readonly call: BegunCall },
  { source, language, isRestartSafe }: AdmittedExec,
): Promise<CodeModeResult> {
  const cell = new Cell(run, { language, isRestartSafe, onReleased: (released) => registry.remove(released) });
  registry.add(cell);
  cell.announce();
  return conductCall(cell, { call, registry }, async () => {
    const { surface } = cell.projection;
    const seed = run.seed === undefined ? {} : { seed: run.seed };
    cell.openSession();
    const first = await cell.step((session, remainingMs) =>
      session.start({ type: "source", source, language, surface, ...seed }, remainingMs),
    );
    return driveCell(cell, first);
  });
}
