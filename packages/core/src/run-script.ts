import { CodeModeError, type CellLanguage, type CodeModeResult } from "@codemode/protocol";
import { refusedResult } from "./assemble-result.js";
import type { Clock } from "./clock.js";
import { abortedFailure } from "./failures.js";
import type { CodeModeRun, ScriptOptions } from "./options.js";
import type { RunContext, ScriptBounds } from "./run-context.js";
import type { RunRegistry } from "./run-registry.js";

const MAX_CALLS = { default: 1_000, least: 1, most: 100_000 };
const DURATION_MS = { default: 600_000, least: 100, most: 86_400_000 };
/** So little is left that a script which waits has run out of time, in ms. A wait needs as much to park. */
const LAST_MARGIN_MS = 250;

export interface ScriptHost {
  readonly clock: Clock;
  readonly registry: RunRegistry;
  open(options: ScriptOptions, script: ScriptBounds): { readonly run: CodeModeRun; readonly context: RunContext };
}

/** Runs one program to its end, through as many waits as it takes. Never `waiting`. @throws as `openRun` */
export async function runScript(host: ScriptHost, source: string, options: ScriptOptions): Promise<CodeModeResult> {
  const maxDurationMs = bounded("maxDurationMs", options.maxDurationMs, DURATION_MS);
  const startedAt = host.clock.now();
  const { run, context } = host.open(options, {
    maxCalls: bounded("maxCalls", options.maxCalls, MAX_CALLS),
    remainingMs: () => maxDurationMs - (host.clock.now() - startedAt - peopleMs()),
  });
  const peopleMs = (): number => context.catalog().telemetry.snapshot().timing?.peopleMs ?? 0;
  try {
    return await runToEnd(host, { run, context, maxDurationMs }, { code: source, language: options.language });
  } finally {
    await run.close("the script has ended");
  }
}

interface OpenScript {
  readonly run: CodeModeRun;
  readonly context: RunContext;
  readonly maxDurationMs: number;
}

async function runToEnd(
  { registry }: ScriptHost,
  { run, context, maxDurationMs }: OpenScript,
  { code, language = "javascript" }: { readonly code: string; readonly language: CellLanguage | undefined },
): Promise<CodeModeResult> {
  const closed = (): CodeModeResult | undefined => {
    const { closedReason } = context.lifetime;
    return closedReason === undefined ? undefined : refusedResult(context, abortedFailure(closedReason));
  };
  let result = closed() ?? (await run.exec({ code, language }));
  while (result.status === "waiting") {
    const { runId } = result;
    if ((context.script?.remainingMs() ?? 0) <= Math.min(LAST_MARGIN_MS, maxDurationMs / 2)) {
      const message = `code mode script did not end within ${maxDurationMs} ms (maxDurationMs)`;
      registry.find(runId)?.stop({ message, code: "timeout", phase: "host" });
    }
    result = closed() ?? (await run.wait({ runId }));
  }
  return result;
}

function bounded(
  path: "maxCalls" | "maxDurationMs",
  value: number | undefined,
  range: { readonly default: number; readonly least: number; readonly most: number },
): number {
  if (value === undefined) return range.default;
  if (Number.isSafeInteger(value) && value >= range.least && value <= range.most) return value;
  const problem = `it must be a whole number from ${range.least} to ${range.most}`;
  throw new CodeModeError("invalid_argument", `${path}: ${problem}.`, { path, problem });
}
