import { VM_LIMITS, repliesTo, sourceOf, surfaceOf } from "@codemode/testing";
import type { GuestRuntime } from "@codemode/protocol";
import type { QuickJS } from "quickjs-wasi";
import { afterEach, expect, test, vi } from "vitest";
import { createPlainRuntime, createQuickJsRuntime } from "../src/index.js";
import { watchEngines } from "./engines.js";
import { openRuntime } from "./runtimes.js";

const BUDGET_MS = 10_000;
const OPTIONS = { limits: VM_LIMITS };
const SURFACE = surfaceOf("echo", "fail");

afterEach(() => vi.restoreAllMocks());

const runtimes = [
  ["with images", createQuickJsRuntime],
  ["an engine per cell", createPlainRuntime],
] as const;

function isAlive(engine: QuickJS): boolean {
  try {
    return engine.getAllocatedSize() > 0;
  } catch {
    return false;
  }
}

test.each(runtimes)(
  "%s: a handle that is not given back stays counted when the VM is disposed",
  async (_name, create) => {
    const engines = watchEngines();
    const runtime = create();
    const vm = await runtime.create(SURFACE, OPTIONS);
    vm.evaluate(sourceOf("await echo({});"), BUDGET_MS);
    const before = runtime.liveHandles();
    (engines.findLast(isAlive) as QuickJS).newString("leaked");
    expect(runtime.liveHandles()).toBe(before + 1);
    vm.dispose();
    expect(runtime.liveHandles()).toBe(1);
    const next = await runtime.create(SURFACE, OPTIONS);
    next.evaluate(sourceOf("return 1;"), BUDGET_MS);
    next.dispose();
    expect(runtime.liveHandles()).toBe(1);
    runtime.dispose();
  },
);

/** Handles of the engine after each step of a cell that echoes in a loop and meets errors on the way. */
async function countsAtBoundaries(runtime: GuestRuntime): Promise<number[]> {
  const vm = await runtime.create(SURFACE, OPTIONS);
  const code = `for (let turn = 0; turn < 20; turn++) {
    await echo({ turn });
    await fail({}).catch(() => {});
    Promise.reject(new Error("handled late")).catch(() => {});
    queueMicrotask(() => { throw new Error("nobody listens"); });
  }`;
  const counts = [];
  let step = vm.evaluate(sourceOf(code), BUDGET_MS);
  while (step.type === "boundary") {
    counts.push(runtime.liveHandles());
    const replies = repliesTo(step, (request) =>
      request.method === "call" && request.binding === 1
        ? { id: request.id, ok: false, error: { name: "Error", message: "no" } }
        : { id: request.id, ok: true, value: "null" },
    );
    step = vm.deliver({ replies }, BUDGET_MS);
  }
  vm.dispose();
  return counts;
}

test.each(runtimes)("%s: a live cell holds no more handles the longer it runs", async (_name, create) => {
  const counts = await countsAtBoundaries(openRuntime(create));
  expect(counts).toHaveLength(40);
  expect(new Set(counts).size).toBe(1);
});

test("a dropped engine takes its handles with it", async () => {
  const runtime = openRuntime();
  const limits = { ...VM_LIMITS, memoryLimitBytes: 4 * 1024 * 1024 };
  for (const [code, budgetMs] of [
    ["for (;;) {}", 30],
    ["const all = []; for (;;) all.push(new Array(1000).fill(1));", BUDGET_MS],
  ] as const) {
    const vm = await runtime.create(SURFACE, { limits });
    expect(vm.evaluate(sourceOf(code), budgetMs).type).toBe("failed");
    vm.dispose();
    expect(runtime.liveHandles()).toBe(0);
  }
});
