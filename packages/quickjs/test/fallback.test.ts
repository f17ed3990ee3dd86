import { VM_LIMITS, repliesTo, sourceOf, surfaceOf } from "@codemode/testing";
import type { GuestVm, VmSnapshot, VmStep } from "@codemode/protocol";
import { QuickJS } from "quickjs-wasi";
import { afterEach, expect, test, vi } from "vitest";
import { createPlainRuntime, createQuickJsRuntime } from "../src/index.js";

const BUDGET_MS = 10_000;
const OPTIONS = { limits: VM_LIMITS };
const SURFACE = surfaceOf("echo");

afterEach(() => {
  vi.restoreAllMocks();
  randomState.isHidden = false;
});

/** Every engine gets memory of its own: a mark in free memory, where it harms nobody. */
function makeEnginesUnequal(): void {
  let engines = 0;
  const marked = new WeakSet<QuickJS>();
  const original = Object.getOwnPropertyDescriptor(QuickJS.prototype, "global")?.get;
  vi.spyOn(QuickJS.prototype, "global", "get").mockImplementation(function (this: QuickJS) {
    if (!marked.has(this)) {
      marked.add(this);
      const memory = new Uint8Array(this._getMemory().buffer);
      memory[memory.byteLength - 8] = ++engines;
    }
    return original?.call(this) as QuickJS["global"];
  });
}

const randomState = vi.hoisted(() => ({ isHidden: false }));
vi.mock(import("../src/base.js"), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    async loadBase(engine) {
      const base = await original.loadBase(engine);
      return randomState.isHidden ? { ...base, entropy: undefined } : base;
    },
  };
});

/** As a base says of an engine that does not keep its random state where it is looked for. */
function hideRandomState(): void {
  randomState.isHidden = true;
}

function createTold(): { runtime: ReturnType<typeof createQuickJsRuntime>; reasons: string[] } {
  const reasons: string[] = [];
  return { runtime: createQuickJsRuntime({ onFallback: (reason) => reasons.push(reason) }), reasons };
}

function valueOf(step: VmStep): unknown {
  return step.type === "completed" ? JSON.parse(step.value.text) : step;
}

const CODE = 'const kept = new Map([["n", 1]]); const r = await echo({ n: 41 }); return kept.get("n") + r.n;';

function park(vm: GuestVm): { step: VmStep; snapshot: VmSnapshot } {
  const step = vm.evaluate(sourceOf(CODE), BUDGET_MS);
  const snapshot = vm.park();
  vm.dispose();
  return { step, snapshot };
}

test.each([
  ["whose instances differ", makeEnginesUnequal, "an instance of the engine is not equal to its image"],
  ["whose random state is elsewhere", hideRandomState, "the engine's random state was not found in its memory"],
])("an engine %s runs cells without images, and says so once", async (_name, breakEngine, reason) => {
  breakEngine();
  const { runtime, reasons } = createTold();
  for (let cell = 0; cell < 3; cell++) {
    const { step, snapshot } = park(await runtime.create(SURFACE, OPTIONS));
    expect([snapshot.imageId, snapshot.bytes > 1_000_000]).toEqual([undefined, true]);
    const resumed = await runtime.restore(snapshot, SURFACE, OPTIONS);
    expect(valueOf(resumed.deliver({ replies: repliesTo(step) }, BUDGET_MS))).toBe(42);
    resumed.dispose();
  }
  expect(reasons).toEqual([reason]);
  expect(runtime.liveHandles()).toBe(0);
  runtime.dispose();
});

test("WAIT-13: without images a cell that was parked with one is refused, and a whole one resumes", async () => {
  const healthy = createTold();
  const difference = park(await healthy.runtime.create(SURFACE, OPTIONS));
  const plain = createPlainRuntime();
  const whole = park(await plain.create(SURFACE, OPTIONS));
  const resumed = await healthy.runtime.restore(whole.snapshot, SURFACE, OPTIONS);
  expect(valueOf(resumed.deliver({ replies: repliesTo(whole.step) }, BUDGET_MS))).toBe(42);
  resumed.dispose();
  expect(healthy.reasons).toEqual([]);

  hideRandomState();
  const { runtime, reasons } = createTold();
  await expect(runtime.restore(difference.snapshot, SURFACE, OPTIONS)).rejects.toMatchObject({
    code: "snapshot_incompatible",
    message: "The parked cell cannot be restored: its image cannot be built here.",
  });
  expect(reasons).toHaveLength(1);
  for (const one of [healthy.runtime, plain, runtime]) one.dispose();
});
