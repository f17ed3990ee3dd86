import type { GuestRuntime, GuestSurface, GuestVm, SnapshotRecord, VmStep } from "@codemode/protocol";
import { VM_LIMITS, repliesTo, snapshotRecordOf, sourceOf, surfaceOf } from "@codemode/testing";
import { createPlainRuntime, createQuickJsRuntime } from "@codemode/quickjs";

const BUDGET_MS = 10_000;
export const OPTIONS = { limits: VM_LIMITS };

/** A cell that parks at its first boundary. */
export interface ValidCell {
  readonly name: string;
  readonly createRuntime: () => GuestRuntime;
  readonly surface: GuestSurface;
  readonly code: string;
  /** What it gives once every request is answered with its input. */
  readonly value: unknown;
}

/** A parked cell, and what goes on with it. */
export interface ParkedValidCell {
  readonly cell: ValidCell;
  readonly record: SnapshotRecord;
  /** The step it was parked at. */
  readonly step: VmStep;
}

const ECHO = surfaceOf("echo");
const SMALL = 'const kept = new Map([["n", 1]]); const { n } = await echo({ n: 41 }); return kept.get("n") + n;';

export const SMALL_CELL: ValidCell = {
  name: "a small one",
  createRuntime: createQuickJsRuntime,
  surface: ECHO,
  code: SMALL,
  value: 42,
};

export const WHOLE_CELL: ValidCell = {
  ...SMALL_CELL,
  name: "a whole one, of the runtime without images",
  createRuntime: createPlainRuntime,
};

export const VALID_CELLS: readonly ValidCell[] = [
  SMALL_CELL,
  WHOLE_CELL,
  {
    ...SMALL_CELL,
    name: "one whose memory grew",
    code: 'const big = "x".repeat(3_000_000) + "y"; const { n } = await echo({ n: 1 }); return [big.length, big.at(-1), n];',
    value: [3_000_001, "y", 1],
  },
  {
    ...SMALL_CELL,
    name: "one whose memory grew and is free again",
    code: `let big = Array.from({ length: 200_000 }, (_, i) => ({ i })); const { length } = big; big = undefined;
      const { n } = await echo({ n: 1 }); return [length, n];`,
    value: [200_000, 1],
  },
  {
    ...SMALL_CELL,
    name: "one with timers",
    code: `const rang = [];
      const twice = setInterval(() => { if (rang.push("interval") === 2) clearInterval(twice); }, 5);
      const timer = new Promise((resolve) => setTimeout(resolve, 50, "timer"));
      await echo({}); return [await timer, rang.length > 0];`,
    value: ["timer", true],
  },
  {
    ...SMALL_CELL,
    name: "one with calls under way, and closures that wait for them",
    code: `const order = [];
      function* count() { for (let n = 1; ; n++) yield n; }
      const numbers = count();
      const calls = ["a", "b", "c"].map(async (x) => { const r = await echo({ x }); order.push(r.x + numbers.next().value); });
      const lost = Promise.reject(new Error("handled later"));
      await Promise.all(calls);
      try { await lost; } catch (error) { order.push(error.message); }
      return order;`,
    value: ["a1", "b2", "c3", "handled later"],
  },
  {
    ...SMALL_CELL,
    name: "one of an image with many bindings",
    surface: surfaceOf("echo", ...Array.from({ length: 2_000 }, (_, index) => `tool_${index}`)),
    code: `${SMALL.replace("return", "const sum =")} return [sum, typeof tool_1999];`,
    value: [42, "function"],
  },
  {
    ...SMALL_CELL,
    name: "one that changed what it was given",
    code: `Object.prototype.extra = 1; Array.prototype.push = () => "mine"; delete globalThis.URL;
      const { n } = await echo({ n: 2 }); return [n, ({}).extra, [].push(1), typeof URL];`,
    value: [2, 1, "mine", "undefined"],
  },
];

/** Parks a cell at its first boundary and ends its engine. */
export async function parkCell(cell: ValidCell): Promise<ParkedValidCell> {
  const runtime = cell.createRuntime();
  const vm = await runtime.create(cell.surface, OPTIONS);
  const source = sourceOf(cell.code);
  const step = vm.evaluate(source, BUDGET_MS);
  const record = snapshotRecordOf("cm_1", { parked: { snapshot: vm.park(), source } });
  vm.dispose();
  runtime.dispose();
  return { cell, record, step };
}

/** Answers every request until the cell is over; its value, or the step it came to. */
export function finish(vm: GuestVm, from: VmStep): unknown {
  let step = from;
  for (let turn = 0; step.type === "boundary" && turn < 100; turn++) {
    step = vm.deliver({ replies: repliesTo(step) }, BUDGET_MS);
  }
  return step.type === "completed" ? (JSON.parse(step.value.text) as unknown) : step;
}
