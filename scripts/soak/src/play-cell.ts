import type { CodeModeRun } from "@codemode/core";
import type { CodeModeResult } from "@codemode/protocol";
import type { CallLedger } from "./call-ledger.js";
import type { Gates } from "./gates.js";
import { WrongEnding, type CellKind } from "./kinds/kind.js";
import type { Loss } from "./losses.js";
import { renderMark } from "./mark.js";
import type { Random } from "./random.js";
import type { SoakHost } from "./soak-host.js";
import { CellLost, NeverSettled, type Stage } from "./stage.js";

/** What all cells of a soak share. */
export interface CellSetting {
  readonly soak: SoakHost;
  readonly ledger: CallLedger;
  readonly gates: Gates;
  /** A run for cells without one of their own, and the signal of those of its calls that have none of their own. */
  readonly run: CodeModeRun;
  readonly signal: AbortSignal;
  onLoss(loss: Loss): void;
}

/** How one cell ended; `problem` says what was wrong about it. */
export interface CellEnding {
  readonly ending: string;
  readonly problem?: string;
}

/** Far beyond every deadline: what has not settled then never will. */
const NEVER_MS = 150_000;
const COMMON_VARIANTS = 3;
const ALL_VARIANTS = 12;
const COMMON_SHARE = 0.9;

/** Plays one cell of a kind. Never rejects. */
export async function playCell(
  setting: CellSetting,
  kind: CellKind,
  { cell, random }: { readonly cell: number; readonly random: Random },
): Promise<CellEnding> {
  const calls = setting.ledger.open(cell);
  const ownRuns: CodeModeRun[] = [];
  const stage = createStage(setting, { cell, random, calls, ownRuns });
  try {
    const ending = await kind.play(stage);
    if (kind.endings.includes(ending)) return { ending };
    return { ending, problem: `ended ${ending}, expected ${kind.endings.join(" or ")}` };
  } catch (error) {
    if (error instanceof CellLost) return { ending: "lost with its thread" };
    if (error instanceof WrongEnding) return { ending: "wrong", problem: error.message };
    if (error instanceof NeverSettled) return { ending: "never settled", problem: error.message };
    return { ending: "broken", problem: String(error instanceof Error ? error.stack : error) };
  } finally {
    setting.gates.of(cell).open();
    await Promise.all(ownRuns.map((run) => stage.settled("closing a run", run.close()).catch(() => {})));
    calls.end();
    setting.gates.forget(cell);
  }
}

type StageParts = Pick<Stage, "cell" | "random" | "calls"> & { readonly ownRuns: CodeModeRun[] };

function createStage(setting: CellSetting, { cell, random, calls, ownRuns }: StageParts): Stage {
  const { soak } = setting;
  const sessionId = `session of ${cell}`;

  /** Passes a result on, unless the cell was lost with its thread and nobody expected that. */
  async function unlessLost(what: string, isDoomed: boolean, call: Promise<CodeModeResult>): Promise<CodeModeResult> {
    const from = performance.now();
    const result = await settled(what, call);
    if (isDoomed || !isLoss(result)) return result;
    setting.onLoss({ cell, from, to: performance.now() });
    throw new CellLost();
  }

  return {
    cell,
    random,
    calls,
    gate: setting.gates.of(cell),
    host: soak.host,
    store: soak.store,
    run: setting.run,
    openRun(options = {}) {
      const isCommon = random.fraction() < COMMON_SHARE;
      const variant = random.whole(isCommon ? 0 : COMMON_VARIANTS, isCommon ? COMMON_VARIANTS - 1 : ALL_VARIANTS - 1);
      const run = soak.openRun({ sessionId, variant, ...options });
      ownRuns.push(run);
      return { run, sessionId };
    },
    exec(code, { run = setting.run, signal = setting.signal, language, death, isDoomed = death !== undefined } = {}) {
      const mark = renderMark({ cell, ...(death === undefined ? {} : { death }) });
      const input = { code: `${mark}const cell = ${cell}; ${code}`, ...(language === undefined ? {} : { language }) };
      return unlessLost("an exec", isDoomed, run.exec(input, { signal }));
    },
    wait(runId, { run = setting.run, signal = setting.signal, isDoomed = false } = {}) {
      return unlessLost("a wait", isDoomed, run.wait({ runId }, { signal }));
    },
    settled,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}

/** The endings that only the end of a thread gives. */
function isLoss(result: CodeModeResult): boolean {
  return result.status === "failed" && result.code === "runtime_unavailable" && /^WorkerError: /.test(result.error);
}

async function settled<Result>(what: string, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const never = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NeverSettled(`${what} has not settled within ${NEVER_MS} ms`)), NEVER_MS);
  });
  try {
    return await Promise.race([promise, never]);
  } finally {
    clearTimeout(timer);
  }
}
