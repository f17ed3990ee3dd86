import { check, checkCalls, completed, ended, numbered } from "./check.js";
import { WrongEnding, type CellKind } from "./kind.js";

const VALUES = [
  ["return { a: [1, 'two', null], b: cell };", (cell: number) => ({ a: [1, "two", null], b: cell })],
  ["[...new Set([cell, cell, 1])].length", (cell: number) => (cell === 1 ? 1 : 2)],
  ["const m = new Map([['k', cell]]); return m;", (cell: number) => ({ k: cell })],
  ["return Array.from({ length: 50 }, (_, n) => n * cell).at(-1);", (cell: number) => 49 * cell],
  [
    "return { at: new Date(0), big: 2n ** 64n, text: `${cell}`.padStart(4, '0') };",
    (cell: number) => datesAndText(cell),
  ],
] as const;

function datesAndText(cell: number): object {
  return { at: "1970-01-01T00:00:00.000Z", big: "18446744073709551616", text: String(cell).padStart(4, "0") };
}

const value: CellKind = {
  name: "a value",
  weight: 203,
  endings: ["completed"],
  async play(stage) {
    const [code, valueOf] = stage.random.pick(VALUES);
    const result = completed(await stage.exec(code));
    check("value", result.value, valueOf(stage.cell));
    return "completed";
  },
};

const output: CellKind = {
  name: "output",
  weight: 40,
  endings: ["completed"],
  async play(stage) {
    const result = completed(await stage.exec('text("a"); json({ cell }); text(["b", cell]); return null;'));
    check("output", result.output, [
      { type: "text", text: "a" },
      { type: "json", value: { cell: stage.cell } },
      { type: "text", text: `["b",${stage.cell}]` },
    ]);
    return "completed";
  },
};

const tooLarge: CellKind = {
  name: "a value that is cut",
  weight: 20,
  endings: ["completed"],
  async play(stage) {
    const chars = stage.random.whole(100_000, 2_000_000);
    const { value } = completed(await stage.exec(`return "y".repeat(${chars});`));
    if ((value as { truncated?: unknown }).truncated !== true) throw new WrongEnding("the value is whole");
    return "completed";
  },
};

const large: CellKind = {
  name: "a large value",
  weight: 6,
  endings: ["completed"],
  async play(stage) {
    const { run } = stage.openRun({ limits: { maxOutputBytes: 4 * 1024 * 1024 } });
    const chars = stage.random.whole(100_000, 2_000_000);
    const { value } = completed(await stage.exec(`return "y".repeat(${chars});`, { run }));
    check("characters", (value as string).length, chars);
    return "completed";
  },
};

const timers: CellKind = {
  name: "timers",
  weight: 25,
  endings: ["completed"],
  async play(stage) {
    const result = completed(
      await stage.exec(`
        let ticks = 0;
        const interval = setInterval(() => { ticks += 1; }, 1);
        await new Promise((resolve) => setTimeout(resolve, 8));
        clearInterval(interval);
        setTimeout(() => { throw new Error("never runs"); }, 60_000);
        return ticks > 0;`),
    );
    check("value", result.value, true);
    check("warnings", result.warnings?.length, 1);
    return "completed";
  },
};

const drained: CellKind = {
  name: "calls nobody awaits",
  weight: 20,
  endings: ["completed"],
  async play(stage) {
    const result = completed(await stage.exec("slow({ cell, n: 1, ms: 5 }); note({ cell, n: 1 }); return 'first';"));
    check("value", result.value, "first");
    checkCalls(stage, "slow 1", "note 1");
    return "completed";
  },
};

const typescript: CellKind = {
  name: "TypeScript",
  weight: 25,
  endings: ["completed"],
  async play(stage) {
    const calls = stage.random.whole(1, 3);
    const code = `
      enum Step { First = 1 }
      const numbers: readonly number[] = Array.from({ length: ${calls} }, (_, at): number => at + Step.First);
      for (const n of numbers) await note({ cell, n });
      return numbers satisfies readonly number[];`;
    const result = await stage.exec(code, { language: "typescript" });
    check(
      "value",
      completed(result).value,
      Array.from({ length: calls }, (_, at) => at + 1),
    );
    checkCalls(stage, ...numbered("note", calls));
    return ended(result, "completed");
  },
};

export const PLAIN_KINDS: readonly CellKind[] = [value, output, tooLarge, large, timers, drained, typescript];
