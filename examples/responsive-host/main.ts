// Runs programs that never end by themselves, most inside one native operation that no interrupt stops, and prints for
// each how it ended, how long past its deadline, and the worst gap between two firings of a 5 ms timer of the host.
//
// Exits with 1 when a program does not end as `timeout`. Times depend on what else the machine does, so missed limits only
// count with --strict.
import { resolveConfig } from "@codemode/config";
import { createCodeMode } from "@codemode/core";
import { ESCAPE_PROGRAMS } from "@codemode/testing";

const TICK_MS = 5;
const DEADLINE_MS = 300;
const GRACE_MS = 100;
/** What ending a thread may take on top, in ms. */
const MARGIN_MS = 150;
const MOST_PAST_MS = GRACE_MS + MARGIN_MS;
const MOST_GAP_MS = 50;
const isStrict = process.argv.includes("--strict");

interface Ending {
  readonly program: string;
  readonly outcome: string;
  readonly pastMs: number;
  readonly gapMs: number;
}

await using codeMode = createCodeMode();
const scope = { agentRunId: "responsive-host" };
const { limits } = resolveConfig({ timeoutMs: DEADLINE_MS, watchdogGraceMs: GRACE_MS });
const patient = codeMode.openRun({ scope, tools: [] });
const hurried = codeMode.openRun({
  scope,
  tools: [],
  activation: { engaged: true, reason: "a short deadline", source: "global", limits },
});
const endings: Ending[] = [];
for (const [program, code] of Object.entries(ESCAPE_PROGRAMS)) {
  // A worker that took a cell before takes the next one at once, so that its deadline is its own.
  await patient.exec({ code: "return 1" });
  const ending = await runToEnd(program, code);
  endings.push(ending);
  console.log(describe(ending));
}
const wrong = endings.filter(({ outcome }) => outcome !== "timeout");
const slow = endings.filter(({ pastMs, gapMs }) => pastMs > MOST_PAST_MS || gapMs > MOST_GAP_MS);
console.log(
  `${endings.length} programs, ${wrong.length} with another ending than timeout, ${slow.length} past a limit ` +
    `(${MOST_PAST_MS} ms past the deadline, a gap of ${MOST_GAP_MS} ms)`,
);
if (wrong.length > 0 || (isStrict && slow.length > 0)) process.exitCode = 1;

async function runToEnd(program: string, code: string): Promise<Ending> {
  const gaps = watchTimer();
  const startedAt = performance.now();
  const result = await hurried.exec({ code });
  const pastMs = performance.now() - startedAt - DEADLINE_MS;
  const outcome = result.status === "failed" ? (result.code ?? result.error) : result.status;
  return { program, outcome, pastMs, gapMs: gaps.stop() };
}

function describe({ program, outcome, pastMs, gapMs }: Ending): string {
  const missed = pastMs > MOST_PAST_MS || gapMs > MOST_GAP_MS ? ", past a limit" : "";
  return `${program}: ${outcome}, ${pastMs.toFixed(0)} ms past the deadline, worst gap ${gapMs.toFixed(1)} ms${missed}`;
}

/** Fires every 5 ms; `stop` gives the longest time between two firings, in ms. */
function watchTimer(): { stop(): number } {
  let last = performance.now();
  let worst = 0;
  const note = (): void => {
    const now = performance.now();
    worst = Math.max(worst, now - last);
    last = now;
  };
  const timer = setInterval(note, TICK_MS);
  return {
    stop() {
      clearInterval(timer);
      note();
      return worst;
    },
  };
}
