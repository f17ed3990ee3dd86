import { utf8Bytes } from "@codemode/bridge";
import type { CellFailure, CellLanguage, NestedCall } from "@codemode/protocol";
import type { BegunCall } from "./begin-call.js";
import { cancelledFailure, hostFailure, inputFailure } from "./failures.js";
import { readHookAnswer } from "./hook-answer.js";
import type { CallContext } from "./options.js";
import type { RunContext } from "./run-context.js";

const NO_SOURCE = "code or command must be a non-empty string.";
const ALIASES = ["code", "command"] as const;

export interface AdmittedExec {
  readonly source: string;
  readonly language: CellLanguage;
  readonly isRestartSafe: boolean;
}

export type ExecAdmission =
  { readonly ok: true; readonly exec: AdmittedExec } | { readonly ok: false; readonly failure: CellFailure };

/**
 * Reads exec's arguments, asks the host's hook about the cell, and reads again what the hook made of them. The hook
 * spends the call's budget.
 */
export async function admitExec(run: RunContext, input: unknown, call: BegunCall): Promise<ExecAdmission> {
  const given = withoutBlankAliases(input);
  const first = readExecInput(run, given);
  const { hooks } = run;
  if (!first.ok || hooks?.beforeToolCall === undefined) return first;
  if (call.context.signal?.aborted === true) return { ok: false, failure: cancelledFailure() };
  const outer = outerCall(run, { given, call: call.context, language: first.exec.language });
  try {
    const answer = readHookAnswer(
      await call.within({ what: "the beforeToolCall hook", work: async () => hooks.beforeToolCall?.(outer) }),
    );
    if (answer.type === "allow") return first;
    if (answer.type === "block") return { ok: false, failure: { message: answer.reason, phase: "input" } };
    if (hasLostAlias(given, answer.input)) return refused(NO_SOURCE);
    return readExecInput(run, answer.input);
  } catch (error) {
    return { ok: false, failure: hostFailure(error) };
  }
}

function readExecInput(run: RunContext, input: unknown): ExecAdmission {
  const { code, command, language, restartSafe } = fieldsOf(input);
  const sources = [code, command].filter((source) => source !== undefined && source !== null);
  if (sources.length === 0 || !sources.every(isFilled)) return refused(NO_SOURCE);
  if (sources.length === 2 && code !== command) return refused("code and command must match when both are provided.");
  const chosen = language ?? (run.languages.includes("javascript") ? "javascript" : run.languages[0]);
  if (chosen !== "javascript" && chosen !== "typescript") return refused("language must be javascript or typescript.");
  if (!run.languages.includes(chosen))
    return refused(`language ${chosen} is disabled; use ${run.languages.join(" or ")}.`);
  if (restartSafe !== undefined && restartSafe !== null && typeof restartSafe !== "boolean") {
    return refused("restartSafe must be a boolean.");
  }
  const source = sources[0] as string;
  const bytes = utf8Bytes(source);
  const { maxSourceBytes } = run.limits;
  if (bytes > maxSourceBytes) {
    return refused(`the source has ${bytes} bytes; at most ${maxSourceBytes} are allowed (maxSourceBytes).`);
  }
  return { ok: true, exec: { source, language: chosen, isRestartSafe: restartSafe === true || run.isReplay } };
}

/** Models fill optional fields with empty text: a blank alias counts as absent. */
function withoutBlankAliases(input: unknown): unknown {
  const isBlankAlias = (key: string, value: unknown): boolean =>
    ALIASES.some((alias) => alias === key) && typeof value === "string" && value.trim() === "";
  return Object.fromEntries(Object.entries(fieldsOf(input)).filter(([key, value]) => !isBlankAlias(key, value)));
}

/** A hook that empties one alias means to stop the cell, so the other one must not bring it back. */
function hasLostAlias(given: unknown, rewritten: unknown): boolean {
  const before = fieldsOf(given);
  const after = fieldsOf(rewritten);
  return ALIASES.some((alias) => isFilled(before[alias]) && !isFilled(after[alias]));
}

function outerCall(
  run: RunContext,
  { given, call, language }: { readonly given: unknown; readonly call: CallContext; readonly language: CellLanguage },
): NestedCall {
  return {
    id: call.toolCallId ?? run.host.newId(),
    toolId: "code-mode:exec",
    toolName: "exec",
    callableName: "exec",
    source: "code-mode",
    input: given,
    scope: run.scope,
    ...(run.hostContext === undefined ? {} : { hostContext: run.hostContext }),
    toolKind: "code_mode_exec",
    toolInputKind: language,
  };
}

function fieldsOf(input: unknown): Record<string, unknown> {
  return typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
}

function isFilled(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function refused(message: string): ExecAdmission {
  return { ok: false, failure: inputFailure(message) };
}
