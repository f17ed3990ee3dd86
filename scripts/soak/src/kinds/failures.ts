import { check, checkCalls, completed, ended, failed } from "./check.js";
import type { CellKind } from "./kind.js";

/** Cells that fail by themselves, each with its source, its ending and its message where that is fixed. */
const FAILING = [
  {
    name: "a guest's error",
    weight: 30,
    code: "await note({ cell, n: 1 });\nthrow new TypeError(`no ${cell}`);",
    ending: "failed in guest",
    errorOf: (cell: number) => `TypeError: no ${cell}`,
    calls: ["note 1"],
  },
  {
    name: "an unhandled rejection",
    weight: 10,
    code: 'Promise.reject(new Error("lost")); return 1;',
    ending: "failed in guest",
    errorOf: () => "Error: lost",
  },
  {
    name: "a promise that never settles",
    weight: 10,
    code: "await note({ cell, n: 1 }); await new Promise(() => {});",
    ending: "failed in guest",
    errorOf: () => "Error: code mode promise is pending without host work",
    calls: ["note 1"],
  },
  {
    name: "module access",
    weight: 10,
    code: 'const fs = await import("node:fs"); return fs;',
    ending: "failed invalid_input",
  },
  {
    name: "a syntax error",
    weight: 15,
    code: "return (1 +;",
    ending: "failed invalid_input",
  },
  {
    name: "a stack that overflows",
    weight: 7,
    code: "const deep = (n) => deep(n + 1) + 1; await note({ cell, n: 1 }); return deep(0);",
    ending: "failed in guest",
    calls: ["note 1"],
  },
] as const;

function failingKind(cell: (typeof FAILING)[number]): CellKind {
  const { name, weight, code, ending } = cell;
  return {
    name,
    weight,
    endings: [ending],
    async play(stage) {
      const result = await stage.exec(code);
      const ended_ = ended(result, ending);
      if ("errorOf" in cell) failed(result, cell.errorOf(stage.cell));
      checkCalls(stage, ...("calls" in cell ? cell.calls : []));
      return ended_;
    },
  };
}

const overflowCaught: CellKind = {
  name: "a stack that overflows, caught",
  weight: 8,
  endings: ["completed"],
  async play(stage) {
    const code = `
      const deep = (n) => deep(n + 1) + 1;
      let name;
      try { deep(0); } catch (error) { name = error.name; }
      return [name, await note({ cell, n: 1 })];`;
    check("value", completed(await stage.exec(code)).value, ["RangeError", 1]);
    return "completed";
  },
};

const outOfMemory: CellKind = {
  name: "exhausted memory",
  weight: 10,
  endings: ["failed in guest"],
  async play(stage) {
    const { run } = stage.openRun({ limits: { memoryLimitBytes: 4 * 1024 * 1024 } });
    const code = "const all = []; for (;;) { try { all.push(new Array(1000).fill(cell)); } catch { continue; } }";
    return ended(await stage.exec(code, { run }), "failed in guest");
  },
};

export const FAILURE_KINDS: readonly CellKind[] = [...FAILING.map(failingKind), overflowCaught, outOfMemory];
