import { ratioOf } from "../sides.js";
import { atLeast } from "../targets.js";
import { CALLING_PEERS, compareCells } from "./cells.js";
import type { Work } from "./work.js";

const CALLS = 30;

export const parallelCalls: Work = {
  id: "P3",
  title: `${CALLS} parallel calls in one cell`,
  async measure(scale) {
    const code = `
      const values = await Promise.all(Array.from({ length: ${CALLS} }, (_, value) => echo({ value })));
      return values.reduce((sum, value) => sum + value, 0);`;
    const sides = await compareCells({ code, value: (CALLS * (CALLS - 1)) / 2, peers: CALLING_PEERS, scale });
    const faster = ratioOf(sides, "run", "codemode");
    return { sides, targets: [atLeast({ text: "faster than run", actual: faster, limit: 10, unit: "x" })] };
  },
};
