import { VM_LIMITS, repliesTo, sourceOf, surfaceOf } from "@codemode/testing";
import type { GuestRuntime, GuestVm, VmStep } from "@codemode/protocol";
import { QuickJS } from "quickjs-wasi";
import { afterEach, expect, test, vi } from "vitest";
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

test("EXEC-13: cells on one recycled engine draw other random numbers, and a resumed one goes on with its own", async () => {
  const runtime = openRuntime();
  const draws = await Promise.all([run(runtime, "return Math.random();"), run(runtime, "return Math.random();")]);
  draws.push(await run(runtime, "return Math.random();"));
  expect(new Set(draws).size).toBe(3);

  const code = "const a = Math.random(); await yield_control(); return [a, Math.random()];";
  const live = await runtime.create(SURFACE, OPTIONS);
  const boundary = live.evaluate(sourceOf(code), BUDGET_MS);
  const copy = await runtime.restore(live.park(), SURFACE, OPTIONS);
  const [own, resumed] = [live, copy].map((vm) => valueOf(vm.deliver({ replies: repliesTo(boundary) }, BUDGET_MS)));
  expect(own).toEqual(resumed);
  for (const vm of [live, copy]) vm.dispose();
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

test("WAIT-13: a catalog with the same names and other texts is another catalog", async () => {
  const runtime = openRuntime();
  const vm = await runtime.create(SURFACE, OPTIONS);
  vm.evaluate(sourceOf("await yield_control();"), BUDGET_MS);
  const other = { ...SURFACE, fingerprint: `${SURFACE.fingerprint} of other texts` };
  await expect(runtime.restore(await park(vm), other, OPTIONS)).rejects.toMatchObject({
    code: "snapshot_incompatible",
    message: "The parked cell cannot be restored: another catalog's image.",
  });
});

test("the images used last are kept, eight at most", async () => {
  // Building an image hands the surface over.
  const handOver = vi.spyOn(QuickJS.prototype, "newString");
  const runtime = openRuntime();
  const use = async (name: string): Promise<void> => (await runtime.create(surfaceOf(name), OPTIONS)).dispose();
  const builds = async (...names: string[]): Promise<number> => {
    handOver.mockClear();
    for (const name of names) await use(name);
    return handOver.mock.calls.filter(([text]) => text.startsWith('{"globals"')).length;
  };
  expect(await builds("a", "b", "c", "d", "e", "f", "g", "h")).toBe(8);
  expect(await builds("a", "h", "a")).toBe(0);
  // "b" was used longest ago.
  expect(await builds("i")).toBe(1);
  expect(await builds("a", "c", "i")).toBe(0);
  expect(await builds("b")).toBe(1);
  expect(await builds("d")).toBe(1);
});

test("a cell whose image was given up meanwhile ends, parks and resumes as ever", async () => {
  const runtime = openRuntime();
  const vm = await runtime.create(SURFACE, OPTIONS);
  const step = vm.evaluate(
    sourceOf("const kept = 20; const { n } = await echo({ n: 1 }); return kept + n;"),
    BUDGET_MS,
  );
  for (let n = 0; n < 9; n++) (await runtime.create(surfaceOf(`other_${n}`), OPTIONS)).dispose();
  const resumed = await runtime.restore(await park(vm), SURFACE, OPTIONS);
  expect(valueOf(resumed.deliver({ replies: repliesTo(step) }, BUDGET_MS))).toBe(21);
  resumed.dispose();
  expect(runtime.liveHandles()).toBe(0);
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
