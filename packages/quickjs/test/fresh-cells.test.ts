import { VM_LIMITS, repliesTo, sourceOf, surfaceOf } from "@codemode/testing";
import type { GuestRuntime, VmStep } from "@codemode/protocol";
import { describe, expect, test } from "vitest";
import { createPlainRuntime, createQuickJsRuntime } from "../src/index.js";
import { valueOf } from "./run-cell.js";

const RUNTIMES: [name: string, create: () => GuestRuntime][] = [
  ["with images", createQuickJsRuntime],
  ["an engine per cell", createPlainRuntime],
];
const BUDGET_MS = 10_000;

/** Leaves behind what a cell can: globals, changed built-ins, timers, rejections, jobs, collected objects, output. */
const UNTIDY = `
  globalThis.left = 1; Array.prototype.left = 1; Map.prototype.get = () => "left"; JSON.parse = () => "left";
  Object.defineProperty(Object.prototype, "binding", { value: 99 });
  Error.stackTraceLimit = 0;
  new FinalizationRegistry(() => { globalThis.left = 2; }).register({}, 1);
  setInterval(() => { globalThis.left = 3; }, 1); setTimeout(() => { throw new Error("left"); }, 60_000);
  queueMicrotask(() => { Promise.reject(new Error("handled")).catch(() => {}); });
  text("left"); Symbol.for("left");
  await echo({}); return Math.random();`;
const LOOK_AROUND = `
  const { n } = await echo({ n: 7 });
  return [typeof globalThis.left, typeof [].left, typeof {}.binding, new Map([[1, 2]]).get(1), JSON.parse("3"), n,
    new Error("x").stack.length > 0, performance.now() < 60_000];`;

describe.each(RUNTIMES)("EXEC-13: a cell after another on one runtime, %s", (_name, create) => {
  test("finds nothing of it, and its timers and replies are nobody's", async () => {
    const runtime = create();
    const open = () => runtime.create(surfaceOf("echo"), { limits: VM_LIMITS });
    const untidy = await open();
    let step: VmStep = untidy.evaluate(sourceOf(UNTIDY), BUDGET_MS);
    const stale = repliesTo(step);
    const timers = step.type === "boundary" ? step.requests.filter(({ method }) => method === "timer") : [];
    const replies = stale.filter(({ id }) => timers.every((timer) => timer.id !== id));
    step = untidy.deliver({ replies, cancelled: timers.map(({ id }) => id) }, BUDGET_MS);
    expect(step.type).toBe("completed");
    untidy.dispose();

    const next = await open();
    const call = next.evaluate(sourceOf(LOOK_AROUND), BUDGET_MS);
    const output = { items: [], omittedItems: 0, omittedBytes: 0 };
    expect(call).toMatchObject({ type: "boundary", requests: [{ method: "call", id: 1, input: '{"n":7}' }], output });
    const late = stale.filter(({ id }) => id !== 1);
    const end = next.deliver({ replies: [...late, ...repliesTo(call)] }, BUDGET_MS);
    const value = ["undefined", "undefined", "undefined", 2, 3, 7, true, true];
    expect(end).toMatchObject({ type: "completed", value: { text: JSON.stringify(value) }, output });
    next.dispose();
    expect(runtime.liveHandles()).toBe(0);
    runtime.dispose();
  });

  test("draws other random numbers", async () => {
    const runtime = create();
    const draws = new Set<string>();
    for (let cell = 0; cell < 3; cell++) {
      const vm = await runtime.create(surfaceOf(), { limits: VM_LIMITS });
      const step = vm.evaluate(sourceOf("return [Math.random(), Math.random()];"), BUDGET_MS);
      if (step.type === "completed") draws.add(step.value.text);
      vm.dispose();
    }
    expect(draws.size).toBe(3);
    runtime.dispose();
  });
});

test.each(RUNTIMES)(
  "EXEC-14: seeded cells repeat random numbers and the clock, unseeded ones do not, %s",
  async (_name, create) => {
    const code = "return [Math.random(), Math.random(), Date.now(), new Date().toISOString(), performance.now()];";
    const seed = { random: 7, now: 1_700_000_000_000 };
    const values = (await valueOf(code, { seed }, create)) as unknown[];
    expect(values).toEqual(await valueOf(code, { seed }, create));
    expect(values.slice(2)).toEqual([seed.now, "2023-11-14T22:13:20.000Z", 0]);
    expect(await valueOf(code, { seed: { ...seed, random: 8 } }, create)).not.toEqual(values);
    const unseeded = (await valueOf(code, {}, create)) as unknown[];
    expect(unseeded.slice(0, 2)).not.toEqual(((await valueOf(code, {}, create)) as unknown[]).slice(0, 2));
    expect(unseeded[2]).not.toBe(seed.now);
  },
);
