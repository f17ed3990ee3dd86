import { interleave, type Contender } from "../interleave.js";
import { runProgram } from "../run-program.js";
import { summaryOf, toSides } from "../sides.js";
import { atMost } from "../targets.js";
import type { Work } from "./work.js";

const JAVASCRIPT = "codemode, JavaScript";
const TYPESCRIPT = "codemode, TypeScript";
const RUN = "run, JavaScript";

export const coldStart: Work = {
  id: "P9",
  title: "cold: import, open a run, first result, each in a process of its own",
  async measure(scale) {
    const contenders = [
      program(JAVASCRIPT, "cold/codemode", ["javascript"]),
      program(TYPESCRIPT, "cold/codemode", ["typescript"]),
      program(RUN, "cold/run"),
    ];
    const options = scale.interleaved(30_000, { warmUps: scale.isQuick ? 0 : 1, maxSamples: 20 });
    const sides = toSides(await interleave(contenders, options), (name) =>
      name === RUN ? { role: "peer", unit: "ms", against: JAVASCRIPT } : { role: "ours", unit: "ms" },
    );
    return {
      sides,
      targets: [
        atMost({ text: "first JavaScript cell", actual: summaryOf(sides, JAVASCRIPT)?.p50, limit: 250, unit: "ms" }),
        atMost({ text: "first TypeScript cell", actual: summaryOf(sides, TYPESCRIPT)?.p50, limit: 700, unit: "ms" }),
      ],
    };
  },
};

function program(name: string, file: string, args: readonly string[] = []): Contender {
  return {
    name,
    open: async () => ({
      measure: async () => (await runProgram(file, args)) as number,
      close: async () => {},
    }),
  };
}
