import { createCodeMode, type CodeModeResult, type CodeModeRun, type ToolDescriptor } from "@codemode/core";
import { interleave, type Contender } from "../interleave.js";
import { quantile } from "../statistics.js";
import { summaryOf, toSides } from "../sides.js";
import { watchTimer } from "../timer-lateness.js";
import { atMost } from "../targets.js";
import type { Work } from "./work.js";

const CELLS = 500;
const CALLS_PER_CELL = 3;
const TOOL_MS = 200;
/** A host that is not done by then is not measured. */
const PATIENCE_MS = 20_000;
const WALL = "codemode, all cells";
const LATENESS = "host timer's lateness, p99";
const CODE = `for (let call = 0; call < ${CALLS_PER_CELL}; call++) await slow({}); return 1;`;

export const manyCells: Work = {
  id: "P8",
  title: `${CELLS} concurrent cells, each awaiting ${CALLS_PER_CELL} tools of ${TOOL_MS} ms, on 2 threads, warm`,
  async measure(scale) {
    const lateness: number[] = [];
    const options = scale.interleaved(5_000, { warmUps: 2, maxSamples: 3 });
    const samples = await interleave([allCells((ms) => lateness.push(ms))], options);
    const [wall] = samples;
    const isMeasured = wall !== undefined && "values" in wall;
    const measured = isMeasured ? [wall, { name: LATENESS, values: lateness.slice(-wall.values.length) }] : samples;
    const sides = toSides(measured, () => ({ role: "ours", unit: "ms" }));
    return {
      sides,
      targets: [
        atMost({ text: "wall time", actual: summaryOf(sides, WALL)?.p50, limit: 1_500, unit: "ms" }),
        atMost({ text: "event-loop delay p99", actual: summaryOf(sides, LATENESS)?.p50, limit: 20, unit: "ms" }),
      ],
    };
  },
};

/** All cells at once; a cell that does not complete, or a call too many, makes the whole unmeasured. */
function allCells(tellLateness: (ms: number) => void): Contender {
  return {
    name: WALL,
    async open() {
      const host = createCodeMode({
        workers: { min: 2, max: 2 },
        config: { overflow: "queue", timeoutMs: PATIENCE_MS },
      });
      await host.prewarm();
      return {
        async measure() {
          let calls = 0;
          const run = host.openRun({ scope: { agentRunId: "bench" }, tools: [slowTool(() => calls++)] });
          const timer = watchTimer();
          const startedAt = performance.now();
          const results = await execAll(run);
          const elapsedMs = performance.now() - startedAt;
          const lateness = quantile(timer.stop(), 0.99);
          await run.close();
          assertAllDone(results, calls, elapsedMs);
          tellLateness(lateness);
          return elapsedMs;
        },
        close: () => host.close(),
      };
    },
  };
}

function execAll(run: CodeModeRun): Promise<CodeModeResult[]> {
  return Promise.all(Array.from({ length: CELLS }, () => run.exec({ code: CODE })));
}

function slowTool(onCall: () => void): ToolDescriptor {
  return {
    name: "slow",
    description: "Takes its time.",
    parameters: { type: "object", properties: {} },
    async execute() {
      onCall();
      await new Promise((resolve) => setTimeout(resolve, TOOL_MS));
      return { details: null };
    },
  };
}

function assertAllDone(results: readonly CodeModeResult[], calls: number, elapsedMs: number): void {
  const done = results.filter((result) => result.status === "completed").length;
  if (done === CELLS && calls === CELLS * CALLS_PER_CELL) return;
  const other = results.find((result) => result.status !== "completed");
  const ended = other?.status === "failed" ? `, the next ended with ${other.code}` : `, the next is ${other?.status}`;
  throw new Error(`${done} of ${CELLS} cells completed in ${elapsedMs.toFixed(0)} ms with ${calls} calls${ended}`);
}
