import { VM_LIMITS, repliesTo, sourceOf, surfaceOf } from "@codemode/testing";
import type { GuestRuntime, GuestVm, VmStep } from "@codemode/protocol";
import type { QuickJS } from "quickjs-wasi";
import { afterEach, expect, test, vi } from "vitest";
import { watchEngines } from "./engines.js";
import { openRuntime } from "./runtimes.js";

const BUDGET_MS = 10_000;
const OPTIONS = { limits: VM_LIMITS };
const SURFACE = surfaceOf("echo");

afterEach(() => vi.restoreAllMocks());

function valueOf(step: VmStep): unknown {
  return step.type === "completed" ? JSON.parse(step.value.text) : step;
}

async function run(runtime: GuestRuntime, code: string): Promise<unknown> {
  const vm = await runtime.create(SURFACE, OPTIONS);
  const step = vm.evaluate(sourceOf(code), BUDGET_MS);
  vm.dispose();
  return valueOf(step);
}

async function park(vm: GuestVm): Promise<Awaited<ReturnType<GuestVm["park"]>>> {
  const snapshot = vm.park();
  vm.dispose();
  return Promise.resolve(snapshot);
}

test("SEC-02: no byte of an ended cell is in the memory the next cell gets", async () => {
  const engines = watchEngines();
  const runtime = openRuntime();
  const canary = "canary-4f1d";
  const fill = `const all = []; for (let i = 0; i < 500; i++) all.push("${canary}".toUpperCase() + i); globalThis.kept = all; return 1;`;
  expect(await run(runtime, fill)).toBe(1);
  const before = engines.length;
  expect(await run(runtime, "return typeof kept;")).toBe("undefined");
  expect(engines.length).toBe(before);
  const memory = Buffer.from((engines.at(-1) as QuickJS)._getMemory().buffer);
  expect([memory.indexOf(canary), memory.indexOf(canary.toUpperCase())]).toEqual([-1, -1]);
});

test("EXEC-13: cells on one recycled engine draw other random numbers, and a resumed one goes on with its own", async () => {
  const runtime = openRuntime();
  const draws = await Promise.all([run(runtime, "return Math.random();"), run(runtime, "return Math.random();")]);
  draws.push(await run(runtime, "return Math.random();"));
  expect(new Set(draws).size).toBe(3);

  const code = "const a = Math.random(); await yield_control(); return [a, Math.random()];";
  const seeded = { ...OPTIONS, seed: { random: 7, now: 0 } };
  const values = [];
  for (const parks of [true, false]) {
    const vm = await runtime.create(SURFACE, seeded);
    const step = vm.evaluate(sourceOf(code), BUDGET_MS);
    const resumed = parks ? await runtime.restore(await park(vm), SURFACE, seeded) : vm;
    values.push(valueOf(resumed.deliver({ replies: repliesTo(step) }, BUDGET_MS)));
    resumed.dispose();
  }
  expect(values[0]).toEqual(values[1]);
});

test("a parked cell is small, and one that held 10 MB and freed it parks in under 1 MB", async () => {
  const runtime = openRuntime();
  const sizes = [];
  for (const work of ["", 'let held = "x".repeat(10_000_000) + "y"; held = held.length; ']) {
    const vm = await runtime.create(SURFACE, OPTIONS);
    const step = vm.evaluate(sourceOf(`${work}await yield_control(); return "done";`), BUDGET_MS);
    const snapshot = await park(vm);
    sizes.push(snapshot.bytes);
    const resumed = await runtime.restore(snapshot, SURFACE, OPTIONS);
    expect(valueOf(resumed.deliver({ replies: repliesTo(step) }, BUDGET_MS))).toBe("done");
    resumed.dispose();
  }
  expect(sizes[0]).toBeLessThan(110_100);
  expect(sizes[1]).toBeLessThan(1_000_000);
});

test("WAIT-03: a cell parks in one runtime and resumes in another, many times", async () => {
  const [first, second] = [openRuntime(), openRuntime()];
  const code = "let sum = 0; for (let i = 1; i <= 20; i++) { await yield_control(); sum += i; } return sum;";
  let vm = await first.create(SURFACE, OPTIONS);
  let step = vm.evaluate(sourceOf(code), BUDGET_MS);
  for (let turn = 0; step.type === "boundary"; turn++) {
    vm = await (turn % 2 === 0 ? second : first).restore(await park(vm), SURFACE, OPTIONS);
    step = vm.deliver({ replies: repliesTo(step) }, BUDGET_MS);
  }
  vm.dispose();
  expect(valueOf(step)).toBe(210);
});

test("WAIT-13: a parked cell of another catalog is refused", async () => {
  const runtime = openRuntime();
  const vm = await runtime.create(SURFACE, OPTIONS);
  vm.evaluate(sourceOf("await yield_control();"), BUDGET_MS);
  const snapshot = await park(vm);
  await expect(runtime.restore(snapshot, surfaceOf("other"), OPTIONS)).rejects.toMatchObject({
    code: "snapshot_incompatible",
    message: "The parked cell cannot be restored: another catalog's image.",
  });
});

test("an engine that was interrupted, exhausted or has grown is not used again", async () => {
  const engines = watchEngines();
  const runtime = openRuntime();
  const endings = [
    ["for (;;) {}", 30],
    ["const all = []; for (;;) all.push(new Array(1000).fill(1));", BUDGET_MS],
    ['globalThis.big = "x".repeat(8_000_000) + "y"; return 1;', BUDGET_MS],
  ] as const;
  for (const [code, budgetMs] of endings) {
    expect(await run(runtime, "return 1;")).toBe(1);
    const before = engines.length;
    const vm = await runtime.create(SURFACE, OPTIONS);
    vm.evaluate(sourceOf(code), budgetMs);
    vm.dispose();
    expect(engines.length).toBe(before);
    expect(await run(runtime, "return 1;")).toBe(1);
    expect(engines.length).toBe(before + 1);
  }
});

test("LIM-03: the memory limit counts beyond the image", async () => {
  const runtime = openRuntime();
  const limits = { ...VM_LIMITS, memoryLimitBytes: 1024 * 1024 };
  const tools = surfaceOf(...Array.from({ length: 2_000 }, (_, index) => `tool_${index}`));
  const vm = await runtime.create(tools, { limits });
  expect(valueOf(vm.evaluate(sourceOf('return ("x".repeat(500_000) + "y").length;'), BUDGET_MS))).toBe(500_001);
  vm.dispose();
  const second = await runtime.create(tools, { limits });
  expect(second.evaluate(sourceOf('return ("x".repeat(2_000_000) + "y").length;'), BUDGET_MS)).toMatchObject({
    type: "failed",
    failure: { phase: "guest" },
  });
  second.dispose();
});
