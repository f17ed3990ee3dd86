import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { QuickJS } from "quickjs-wasi";
import { interleave, type Contender } from "../interleave.js";
import { ratioOf, toSides } from "../sides.js";
import { atMost } from "../targets.js";
import { compressedBytes, parkedBytes } from "./parked-bytes.js";
import type { Work } from "./work.js";

const OURS = "codemode, parked cell";
const COMPRESSED = "codemode, idle parked cell";
const RAW = "quickjs-wasi, whole snapshot";
const CELL = {
  code: 'const kept = { city: "Oslo", celsius: 21 }; await yield_control("bench"); return kept.celsius;',
  value: 21,
};

export const parkedCell: Work = {
  id: "P5",
  title: "bytes held for a small parked cell",
  async measure(scale) {
    const contenders = [parkedBytes(OURS, CELL), compressedBytes(COMPRESSED, CELL), wholeSnapshot];
    const options = scale.interleaved(1_000, { warmUps: 1, maxSamples: 5 });
    const sides = toSides(await interleave(contenders, options), (name) =>
      name === RAW ? { role: "peer", unit: "bytes" } : { role: "ours", unit: "bytes", against: RAW },
    );
    const shareOf = (name: string): number | undefined => {
      const share = ratioOf(sides, name, RAW);
      return share === undefined ? undefined : share * 100;
    };
    return {
      sides,
      targets: [
        atMost({ text: "share of a whole snapshot", actual: shareOf(OURS), limit: 8, unit: "%" }),
        atMost({ text: "share once it is compressed", actual: shareOf(COMPRESSED), limit: 2.5, unit: "%" }),
      ],
    };
  },
};

const wholeSnapshot: Contender = {
  name: RAW,
  async open() {
    const path = createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm");
    const wasm = await WebAssembly.compile(await readFile(path));
    return {
      async measure() {
        using vm = await QuickJS.create({ wasm });
        return vm.snapshot().memory.byteLength;
      },
      close: async () => {},
    };
  },
};
