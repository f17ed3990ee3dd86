import { createCodeMode, type ToolDescriptor } from "@codemode/core";
import { createRunner } from "run";
import { realTools } from "../cases.js";
import { assertValue } from "../cell-contender.js";
import { interleave, type Contender } from "../interleave.js";
import { echoTool, valueOf } from "../peers/codemode.js";
import { echo } from "../peers/peer.js";
import { valueOfRun } from "../peers/run.js";
import { ratioOf, toSides } from "../sides.js";
import { atMost } from "../targets.js";
import type { Work } from "./work.js";

const SIZES = [10, 1_000, 10_000];
const CALL = "return await tool_7({ value: 7 })";
const ours = (size: number) => `codemode, ${size} tools`;
const theirs = (size: number) => `run, ${size} tools`;

export const catalogSize: Work = {
  id: "P7",
  title: `warm exec of a cell with one call, with ${SIZES.join(", ")} tools`,
  async measure(scale) {
    const contenders = [...SIZES.map(execInCatalog), ...SIZES.map(runInCatalog)];
    const sides = toSides(await interleave(contenders, scale.interleaved(20_000)), (name) =>
      name.startsWith("codemode")
        ? { role: "ours", unit: "ms", against: ours(10) }
        : { role: "peer", unit: "ms", against: name.replace("run", "codemode") },
    );
    const growth = ratioOf(sides, ours(10_000), ours(10));
    return { sides, targets: [atMost({ text: "10,000 over 10 tools", actual: growth, limit: 1.3, unit: "x" })] };
  },
};

function execInCatalog(size: number): Contender {
  return {
    name: ours(size),
    async open() {
      const host = createCodeMode({ workers: { min: 1, max: 1 } });
      const run = host.openRun({ scope: { agentRunId: "bench" }, tools: [...realTools(size - 1), calledTool] });
      return {
        async measure() {
          const startedAt = performance.now();
          const result = await run.exec({ code: CALL });
          const elapsedMs = performance.now() - startedAt;
          assertValue(valueOf(result), 7);
          return elapsedMs;
        },
        close: () => host.close(),
      };
    },
  };
}

function runInCatalog(size: number): Contender {
  return {
    name: theirs(size),
    async open() {
      const runner = createRunner();
      const hostFunctions = { tools: Object.fromEntries(names(size).map((name) => [name, echo])) };
      const source = CALL.replace("tool_7", "tools.tool_7");
      return {
        async measure() {
          const startedAt = performance.now();
          const result = await runner.run({ source, hostFunctions });
          const elapsedMs = performance.now() - startedAt;
          assertValue(valueOfRun(result), 7);
          return elapsedMs;
        },
        close: async () => {},
      };
    },
  };
}

function names(size: number): string[] {
  return Array.from({ length: size }, (_, index) => `tool_${index}`);
}

/** The one that is called, last in a catalog with the texts and schemas of real tools. */
const calledTool: ToolDescriptor = { ...echoTool, name: "tool_7" };
