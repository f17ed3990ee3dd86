import { createCodeMode, type CodeModeRun } from "@codemode/core";
import { ESCAPE_PROGRAMS } from "@codemode/testing";
import { createRunner, type Runner } from "run";
import type { Side, Target } from "../report.js";
import { summaryOf, toSides } from "../sides.js";
import { watchTimer } from "../timer-lateness.js";
import { atMost } from "../targets.js";
import type { Work } from "./work.js";

const DEADLINE_MS = 300;
const GRACE_MS = 100;
const MARGIN_MS = 150;
const MOST_LATE_MS = 50;
/** A quick run tries every ninth program on the peer. */
const QUICK_STEP = 9;
const OURS = "codemode, past the deadline";
const THEIRS = "run, past the deadline";
const GAP = "host timer's lateness meanwhile";

/** How late a program ended and how late a timer of the host was at worst, both in ms. */
interface Ending {
  readonly program: string;
  readonly pastMs: number;
  readonly worstLateMs: number;
}

export const escapes: Work = {
  id: "P14",
  title: `${Object.keys(ESCAPE_PROGRAMS).length} programs that escape interrupts, with a deadline of ${DEADLINE_MS} ms`,
  async measure({ isQuick }) {
    const host = createCodeMode({ config: { timeoutMs: DEADLINE_MS, watchdogGraceMs: GRACE_MS } });
    const run = host.openRun({ scope: { agentRunId: "bench" }, tools: [] });
    const runner = createRunner({ limits: { timeoutMs: DEADLINE_MS } });
    const ours: Ending[] = [];
    const theirs: Ending[] = [];
    for (const [index, [program, code]] of Object.entries(ESCAPE_PROGRAMS).entries()) {
      await host.prewarm();
      ours.push(await ending(program, () => endInCodemode(run, code)));
      if (!isQuick || index % QUICK_STEP === 0) theirs.push(await ending(program, () => endInRun(runner, code)));
    }
    await host.close();
    const sides = toSides(
      [
        { name: OURS, values: ours.map(({ pastMs }) => pastMs) },
        { name: THEIRS, values: theirs.map(({ pastMs }) => pastMs) },
        { name: GAP, values: ours.map(({ worstLateMs }) => worstLateMs) },
      ],
      (name) => ({ role: name === THEIRS ? "peer" : "ours", unit: "ms" }),
    );
    return { sides, targets: targetsOf(sides, ours) };
  },
};

async function ending(program: string, end: () => Promise<void>): Promise<Ending> {
  const timer = watchTimer();
  const startedAt = performance.now();
  await end();
  const pastMs = Math.max(0, performance.now() - startedAt - DEADLINE_MS);
  return { program, pastMs, worstLateMs: timer.stop().at(-1) ?? 0 };
}

/** Ends by `timeout`, or before it because the engine refused what the program asked for. */
async function endInCodemode(run: CodeModeRun, code: string): Promise<void> {
  const result = await run.exec({ code });
  if (result.status === "waiting") throw new Error("a program that never waits was parked");
}

async function endInRun(runner: Runner, source: string): Promise<void> {
  // It rejects with its timeout, or with what the engine refused.
  await runner.run({ source, hostFunctions: {} }).catch(() => {});
}

function targetsOf(sides: readonly Side[], endings: readonly Ending[]): Target[] {
  const last = endings.toSorted((a, b) => b.pastMs - a.pastMs)[0];
  return [
    atMost({
      text: `grace of ${GRACE_MS} ms and ${MARGIN_MS}; last was ${last?.program}`,
      actual: summaryOf(sides, OURS)?.max,
      limit: GRACE_MS + MARGIN_MS,
      unit: "ms",
    }),
    atMost({
      text: "worst lateness of a host timer",
      actual: summaryOf(sides, GAP)?.max,
      limit: MOST_LATE_MS,
      unit: "ms",
    }),
  ];
}
