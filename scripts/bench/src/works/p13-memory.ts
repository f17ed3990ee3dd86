import { interleave, type Contender } from "../interleave.js";
import { runProgram } from "../run-program.js";
import { summaryOf, toSides } from "../sides.js";
import { summarise } from "../statistics.js";
import { atMost } from "../targets.js";
import type { Work } from "./work.js";

const WORKER = "codemode, per idle worker";
const EMPTY = "empty thread";
const CELLS = 10_000;
const QUICK_CELLS = 1_000;
/** Noise of a process whose memory is flat, in MB. */
const FLAT_MB = 8;
const growthOver = (cells: number) => `codemode, growth over ${cells} cells`;

export const memory: Work = {
  id: "P13",
  title: "memory of the host process (RSS)",
  async measure(scale) {
    const cells = scale.isQuick ? QUICK_CELLS : CELLS;
    const growth = growthOver(cells);
    const contenders = [
      program(growth, async () => growthOf((await runProgram("cold/memory-of-cells", [`${cells}`])) as number[])),
      program(WORKER, async () => (await runProgram("cold/memory-of-workers", ["codemode"])) as number),
      program(EMPTY, async () => (await runProgram("cold/memory-of-workers", ["empty"])) as number),
    ];
    const options = scale.interleaved(30_000, { warmUps: 0, maxSamples: 5 });
    const sides = toSides(await interleave(contenders, options), (name) =>
      name === EMPTY
        ? { role: "floor", unit: "MB" }
        : { role: "ours", unit: "MB", ...(name === WORKER ? { against: EMPTY } : {}) },
    );
    return {
      sides,
      targets: [
        atMost({ text: "flat after warm-up", actual: summaryOf(sides, growth)?.p50, limit: FLAT_MB, unit: "MB" }),
        atMost({ text: "per idle worker", actual: summaryOf(sides, WORKER)?.p50, limit: 40, unit: "MB" }),
      ],
    };
  },
};

function program(name: string, measure: () => Promise<number>): Contender {
  return { name, open: async () => ({ measure, close: async () => {} }) };
}

/** From the tenth after the warm-up, the first fifth, to the last tenth. */
function growthOf(megabytes: readonly number[]): number {
  const median = (from: number, to: number) =>
    summarise(megabytes.slice(megabytes.length * from, megabytes.length * to)).p50;
  return median(0.9, 1) - median(0.2, 0.3);
}
