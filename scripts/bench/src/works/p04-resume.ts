import { createCodeMode, type CodeModeRun } from "@codemode/core";
import { createRunner, getHostFunctionContext } from "run";
import { assertValue } from "../cell-contender.js";
import { ROUND_TRIP, roundTrips } from "../floor.js";
import { interleave, type Contender } from "../interleave.js";
import { echoTool, valueOf } from "../peers/codemode.js";
import { echo } from "../peers/peer.js";
import { valueOfRun } from "../peers/run.js";
import { ratioOf, summaryOf, toSides } from "../sides.js";
import { atMost } from "../targets.js";
import type { Work } from "./work.js";

const EARLIER_CALLS = [0, 50, 200];
const LOOP = (calls: number) => `let sum = 0; for (let i = 0; i < ${calls}; i++) sum += await echo({ value: i });`;
const sumOf = (calls: number) => (calls * (calls - 1)) / 2;
const ours = (calls: number) => `codemode after ${calls} calls`;
const theirs = (calls: number) => `run after ${calls} calls`;

export const resume: Work = {
  id: "P4",
  title: `resume of a suspended cell after ${EARLIER_CALLS.join(", ")} earlier calls`,
  async measure(scale) {
    const contenders = [...EARLIER_CALLS.map(resumeCodemode), ...EARLIER_CALLS.map(resumeRun), roundTrips()];
    const sides = toSides(await interleave(contenders, scale.interleaved(20_000)), (name) => {
      if (name === ROUND_TRIP) return { role: "floor", unit: "ms" };
      if (name.startsWith("codemode")) return { role: "ours", unit: "ms", against: ROUND_TRIP };
      return { role: "peer", unit: "ms", against: name.replace("run", "codemode") };
    });
    const trip = summaryOf(sides, ROUND_TRIP)?.p50;
    return {
      sides,
      targets: [
        atMost({ text: "200 over 0 calls", actual: ratioOf(sides, ours(200), ours(0)), limit: 1.2, unit: "x" }),
        atMost({
          text: "1 ms and two round trips, after 200 calls",
          actual: summaryOf(sides, ours(200))?.p50,
          limit: trip === undefined ? undefined : 1 + 2 * trip,
          unit: "ms",
        }),
      ],
    };
  },
};

/** The `wait` that goes on with a parked cell; running the cell up to there is not counted. */
function resumeCodemode(calls: number): Contender {
  const code = `${LOOP(calls)} await yield_control("bench"); return sum;`;
  return {
    name: ours(calls),
    async open() {
      const host = createCodeMode({ workers: { min: 1, max: 1 } });
      const run = host.openRun({ scope: { agentRunId: "bench" }, tools: [echoTool] });
      return {
        async measure() {
          const runId = await suspend(run, code);
          const startedAt = performance.now();
          const result = await run.wait({ runId });
          const elapsedMs = performance.now() - startedAt;
          assertValue(valueOf(result), sumOf(calls));
          return elapsedMs;
        },
        close: () => host.close(),
      };
    },
  };
}

async function suspend(run: CodeModeRun, code: string): Promise<string> {
  const result = await run.exec({ code });
  if (result.status !== "waiting") throw new Error(`the cell is ${result.status} in place of waiting`);
  return result.runId;
}

/** The second run with the continuation of the first; the first is not counted. */
function resumeRun(calls: number): Contender {
  const source = `const { echo, pause } = tools; ${LOOP(calls)} await pause(); return sum;`;
  const hostFunctions = { tools: { echo, pause } };
  return {
    name: theirs(calls),
    async open() {
      const runner = createRunner({ continuationSecret: "a secret that protects nothing here" });
      return {
        async measure() {
          const first = await runner.run({ source, hostFunctions });
          if (first.status !== "interrupted") throw new Error(`the run is ${first.status} in place of interrupted`);
          const { continuation } = first;
          const resolutions = first.interruptions.map(({ id }) => ({ interruptionId: id, value: true }));
          const startedAt = performance.now();
          const result = await runner.run({ source, hostFunctions, continuation, resolutions });
          const elapsedMs = performance.now() - startedAt;
          assertValue(valueOfRun(result), sumOf(calls));
          return elapsedMs;
        },
        close: async () => {},
      };
    },
  };
}

function pause(): boolean {
  const { interrupt, resume: resumption } = getHostFunctionContext();
  if (resumption === undefined) interrupt({ kind: "pause" });
  return true;
}
