// Runs cells that never end by themselves and prints the worst gap between two firings of a 5 ms timer of the host.
// Exits non-zero when a cell does not end as timeout.
import { createCodeMode } from "@codemode/core";

const TICK_MS = 5;
const HOSTILE_CELLS = {
  "an endless loop": "while (true) {}",
  "a native operation the engine does not interrupt": 'new Array(1e9).join("x");',
};

await using codeMode = createCodeMode({ config: { timeoutMs: 1_000 } });
await codeMode.prewarm();
const run = codeMode.openRun({ scope: { agentRunId: "responsive-host" }, tools: [] });
for (const [name, code] of Object.entries(HOSTILE_CELLS)) {
  const gaps = watchTimer();
  const startedAt = performance.now();
  const result = await run.exec({ code });
  const elapsedMs = performance.now() - startedAt;
  const outcome = result.status === "failed" ? `${result.code}` : result.status;
  console.log(
    `${name}: ${outcome} after ${elapsedMs.toFixed(0)} ms, worst gap of the host's timer ${gaps.stop().toFixed(1)} ms`,
  );
  if (outcome !== "timeout") process.exitCode = 1;
}

/** Fires every 5 ms; `stop` gives the longest time between two firings, in ms. */
function watchTimer(): { stop(): number } {
  let last = performance.now();
  let worst = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    worst = Math.max(worst, now - last);
    last = now;
  }, TICK_MS);
  return {
    stop() {
      clearInterval(timer);
      return worst;
    },
  };
}
