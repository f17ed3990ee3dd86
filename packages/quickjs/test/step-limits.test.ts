import { VM_LIMITS, repliesTo, sourceOf, surfaceOf } from "@codemode/testing";
import type { GuestRuntime } from "@codemode/protocol";
import { describe, expect, test } from "vitest";
import { createPlainRuntime, createQuickJsRuntime } from "../src/index.js";
import { runCell, valueOf } from "./run-cell.js";

const BUDGET_MS = 15_000;
const TOO_MANY = "RangeError: too many requests in one step, at most 20000. Await calls and timers in groups.";
const TOO_MANY_YIELDS = "RangeError: too many yields in one step, at most 1000. Yield once.";
const TOO_MUCH = "RangeError: too much data in the calls of one step, at most 8388608 characters. Pass less at a time.";

describe("a guest that asks for too much at once fails before the host sees any of it", () => {
  test.each([
    ["calls", "for (let n = 0; n <= 20_000; n++) void echo({}).catch(() => {}); return 1;", TOO_MANY],
    ["timers", "try { for (let n = 0; n <= 20_000; n++) setTimeout(() => {}, 1); } catch {} return 1;", TOO_MANY],
    ["searches", "for (let n = 0; n <= 20_000; n++) void catalog.search('x').catch(() => {});", TOO_MANY],
    ["yields", "for (let n = 0; n <= 1_000; n++) void yield_control().catch(() => {}); return 1;", TOO_MANY_YIELDS],
    ["data", "const s = 'x'.repeat(3e6); for (let n = 0; n < 3; n++) void echo({ s }).catch(() => {});", TOO_MUCH],
  ])("LIM-06: %s", async (_name, code, message) => {
    const step = await runCell(`text("kept"); ${code}`, { budgetMs: BUDGET_MS });
    expect(step).toMatchObject({
      type: "failed",
      failure: { message, code: "invalid_input", phase: "bridge" },
      output: { items: [{ text: '{"type":"text","text":"kept"}' }] },
    });
  });

  test("LIM-06: as much in every step is fine", async () => {
    const code = `
      const s = "x".repeat(3e6);
      for (let step = 0; step < 3; step++) {
        await echo({ s });
        await Promise.all(Array.from({ length: 500 }, () => yield_control()));
        for (let n = 0; n < 500; n++) clearTimeout(setTimeout(() => {}, 60_000));
      }
      return "done";`;
    expect(await valueOf(code)).toBe("done");
  });
});

test.each([
  ["with images", createQuickJsRuntime],
  ["an engine per cell", createPlainRuntime],
] as [string, () => GuestRuntime][])("LIM-06: a resumed cell is counted as before, %s", async (_name, create) => {
  const runtime = create();
  const [surface, options] = [surfaceOf("echo"), { limits: VM_LIMITS }];
  const vm = await runtime.create(surface, options);
  const code = "await yield_control(); for (let n = 0; n <= 1_000; n++) void yield_control().catch(() => {});";
  const first = vm.evaluate(sourceOf(code), BUDGET_MS);
  const snapshot = vm.park();
  vm.dispose();
  const resumed = await runtime.restore(snapshot, surface, options);
  expect(resumed.deliver({ replies: repliesTo(first) }, BUDGET_MS)).toMatchObject({
    type: "failed",
    failure: { message: TOO_MANY_YIELDS, code: "invalid_input", phase: "bridge" },
  });
  resumed.dispose();
  expect(runtime.liveHandles()).toBe(0);
  runtime.dispose();
});
