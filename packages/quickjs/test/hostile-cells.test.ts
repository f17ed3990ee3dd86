import {
  HOSTILE_SURFACE,
  VM_LIMITS,
  answerHostile,
  describeHostileCells,
  describeHostileEndings,
  repliesTo,
  sourceOf,
  type HostileOutcome,
  type HostileRunOptions,
} from "@codemode/testing";
import type { GuestRuntime, VmStep } from "@codemode/protocol";
import { expect } from "vitest";
import { createPlainRuntime, createQuickJsRuntime } from "../src/index.js";

const AMPLE_MS = 10_000;

/** Runs a cell in a VM of its own and checks that no handle is left; `isParked` parks it before its first statement. */
async function run(
  createRuntime: () => GuestRuntime,
  code: string,
  { budgetMs = AMPLE_MS, memoryLimitBytes = VM_LIMITS.memoryLimitBytes, isParked = false }: RunOptions,
): Promise<HostileOutcome> {
  const runtime = createRuntime();
  const options = { limits: { ...VM_LIMITS, memoryLimitBytes } };
  let vm = await runtime.create(HOSTILE_SURFACE, options);
  let step = vm.evaluate(sourceOf(isParked ? `await yield_control();${code}` : code), budgetMs);
  if (isParked) {
    const snapshot = vm.park();
    vm.dispose();
    vm = await runtime.restore(snapshot, HOSTILE_SURFACE, options);
  }
  const output: unknown[] = [];
  for (;;) {
    output.push(...step.output.items.map(({ text }) => JSON.parse(text) as unknown));
    if (step.type !== "boundary") break;
    step = vm.deliver({ replies: repliesTo(step, answerHostile) }, budgetMs);
  }
  vm.dispose();
  expect(runtime.liveHandles()).toBe(0);
  runtime.dispose();
  return { ...endingOf(step), ...(output.length === 0 ? {} : { output }) };
}

interface RunOptions extends HostileRunOptions {
  readonly isParked?: boolean;
}

function endingOf(step: VmStep): HostileOutcome {
  if (step.type === "completed") return { value: JSON.parse(step.value.text) as unknown };
  if (step.type !== "failed") throw new Error("the cell did not end");
  const { position: _, ...failure } = step.failure;
  return { failure };
}

const RUNTIMES: [name: string, create: () => GuestRuntime][] = [
  ["QuickJS-WASI with images", createQuickJsRuntime],
  ["QuickJS-WASI, an engine per cell", createPlainRuntime],
];
for (const [name, create] of RUNTIMES) {
  describeHostileCells(name, (code, options) => run(create, code, options));
  describeHostileEndings(name, (code, options) => run(create, code, options));
  describeHostileEndings(`${name}, resumed`, (code, options) => run(create, code, { ...options, isParked: true }));
}
