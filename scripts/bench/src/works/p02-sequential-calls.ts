import { cellContender } from "../cell-contender.js";
import { ROUND_TRIP, roundTrips } from "../floor.js";
import { interleave } from "../interleave.js";
import { codemode } from "../peers/codemode.js";
import type { Side } from "../report.js";
import { ratioOf, summaryOf, toSides } from "../sides.js";
import { atLeast, atMost } from "../targets.js";
import { CALLING_PEERS } from "./cells.js";
import { TRIVIAL_CELL } from "./p01-trivial-cell.js";
import type { Work } from "./work.js";

const CALLS = 100;
const TRIPS_PER_CALL = 1.5;
const TRIVIAL = "codemode, trivial cell";
const CELL = {
  code: `let sum = 0; for (let i = 0; i < ${CALLS}; i++) sum += await echo({ value: i }); return sum;`,
  value: (CALLS * (CALLS - 1)) / 2,
};

export const sequentialCalls: Work = {
  id: "P2",
  title: `${CALLS} sequential awaited calls in one cell`,
  async measure(scale) {
    const contenders = [
      ...[codemode, ...CALLING_PEERS].map((peer) => cellContender(peer, CELL)),
      { ...cellContender(codemode, TRIVIAL_CELL), name: TRIVIAL },
      roundTrips(CALLS),
    ];
    const sides = toSides(await interleave(contenders, scale.interleaved(15_000)), (name) => {
      if (name === ROUND_TRIP) return { role: "floor", unit: "ms" };
      if (name.startsWith(codemode.name)) return { role: "ours", unit: "ms", against: ROUND_TRIP };
      return { role: "peer", unit: "ms", against: codemode.name };
    });
    return {
      sides,
      targets: [
        atMost({
          text: `${CALLS} times ${TRIPS_PER_CALL} round trips and a trivial cell`,
          actual: summaryOf(sides, codemode.name)?.p50,
          limit: longestMs(sides),
          unit: "ms",
        }),
        atLeast({
          text: "faster than run",
          actual: ratioOf(sides, "run", codemode.name),
          limit: 6,
          unit: "x",
        }),
      ],
    };
  },
};

function longestMs(sides: readonly Side[]): number | undefined {
  const [trip, trivial] = [summaryOf(sides, ROUND_TRIP), summaryOf(sides, TRIVIAL)];
  return trip === undefined || trivial === undefined ? undefined : CALLS * TRIPS_PER_CALL * trip.p50 + trivial.p50;
}
