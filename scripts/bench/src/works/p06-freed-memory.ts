import { interleave } from "../interleave.js";
import { summaryOf, toSides } from "../sides.js";
import { atMost } from "../targets.js";
import { parkedBytes } from "./parked-bytes.js";
import type { Work } from "./work.js";

const OURS = "codemode, parked cell";
const CELL = {
  code: `
    let held = Array.from({ length: 100 }, (_, i) => String.fromCharCode(97 + (i % 26)).repeat(100_000));
    const { length } = held.join("");
    held = undefined;
    await yield_control("bench");
    return length;`,
  value: 10_000_000,
};

export const freedMemory: Work = {
  id: "P6",
  title: "bytes held for a parked cell that had 10 MB and freed it",
  async measure(scale) {
    const options = scale.interleaved(5_000, { warmUps: 0, maxSamples: 5 });
    const sides = toSides(await interleave([parkedBytes(OURS, CELL)], options), () => ({
      role: "ours",
      unit: "bytes",
    }));
    const bytes = summaryOf(sides, OURS)?.p50;
    return { sides, targets: [atMost({ text: "parked", actual: bytes, limit: 1024 * 1024, unit: "bytes" })] };
  },
};
