import { ROUND_TRIP } from "../floor.js";
import { ratioOf } from "../sides.js";
import { atLeast, atMost } from "../targets.js";
import { ALL_PEERS, compareCells } from "./cells.js";
import type { Work } from "./work.js";

export const TRIVIAL_CELL = { code: "return 1", value: 1 };

export const trivialCell: Work = {
  id: "P1",
  title: "warm exec of a trivial cell, end to end",
  async measure(scale) {
    const sides = await compareCells({ ...TRIVIAL_CELL, peers: ALL_PEERS, scale });
    const trips = ratioOf(sides, "codemode", ROUND_TRIP);
    const faster = ratioOf(sides, "run", "codemode");
    return {
      sides,
      targets: [
        atMost({ text: "round trips", actual: trips, limit: 5, unit: "x" }),
        atLeast({ text: "faster than run", actual: faster, limit: 15, unit: "x" }),
      ],
    };
  },
};
