import { JSException, QuickJS } from "quickjs-wasi";
import { expect, test } from "vitest";
import { createVmClock } from "../src/clock.js";
import { loadEngine } from "../src/engine.js";
import { isExhausted } from "../src/exhaustion-latch.js";
import { findEntropy, plantEntropy } from "../src/entropy.js";
import { clearDeadStack, clearFreeMemory, firstChunkOf } from "../src/free-memory.js";
import { countHandles } from "../src/handles.js";

// Facts of the engine's package that the adapter rests on. A red test here after an upgrade says what to look at.

async function createVm(interruptHandler: () => boolean = () => false): Promise<QuickJS> {
  const { module } = await loadEngine();
  return QuickJS.create({ wasm: module, memoryLimit: 8 * 1024 * 1024, maxStackSize: 256 * 1024, interruptHandler });
}

function exceptionOf(vm: QuickJS, code: string): JSException {
  try {
    vm.evalCode(code).dispose();
  } catch (cause) {
    if (cause instanceof JSException) return cause;
    throw cause;
  }
  throw new Error("nothing was thrown");
}

function isUncatchable(vm: QuickJS, exception: JSException): boolean {
  return vm._getExports().qjs_is_uncatchable_error(exception.handle.ptr) !== 0;
}

test("an interrupt and an exhausted memory are marked uncatchable, a lookalike is not", async () => {
  let isOver = false;
  const vm = await createVm(() => isOver);
  const outOfMemory = exceptionOf(vm, "try { [].concat(Array(9e6).fill(1)) } catch { 1 }");
  expect([outOfMemory.message, isUncatchable(vm, outOfMemory)]).toEqual(["out of memory", true]);
  const lookalike = 'throw Object.assign(new Error("out of memory"), { name: "InternalError" })';
  expect(isUncatchable(vm, exceptionOf(vm, lookalike))).toBe(false);
  isOver = true;
  const interrupted = exceptionOf(vm, "for (;;) {}");
  expect([interrupted.message, isUncatchable(vm, interrupted)]).toEqual(["interrupted", true]);
  vm.dispose();
});

test.each([
  ["objects", "const all = []; for (;;) all.push({});", true],
  ["a string", 'try { "x".repeat(2 ** 29) } catch { 1 }', true],
  ["a rope", 'let text = "x".repeat(1e6); for (;;) text = text + "y" + text.slice(1);', true],
  ["a buffer", "new Uint8Array(2 ** 29)", true],
  ["shared memory", "new SharedArrayBuffer(2 ** 29)", true],
  ["a pattern", "/(a*)*b/.exec('a'.repeat(4e6))", true],
  ["code", "new Function('[' + '1,'.repeat(1e6) + ']')", true],
  ["a map", "const map = new Map(); for (let key = 0; ; key++) map.set(key, key);", true],
  ["JSON", "JSON.stringify(Array(1e6).fill('xxxxxxxx'))", true],
  ["no memory but the stack", "const deep = () => deep() + 1; deep();", false],
  ["too long a text", 'try { "x".repeat(2 ** 31) } catch { null.x }', false],
  ["ordinary errors", "for (let count = 0; count < 1000; count++) try { null.x } catch {} ; null.x", false],
])("memory exhausted by %s is remembered, and nothing else is", async (_name, code, isRemembered) => {
  const vm = await createVm();
  expect(isExhausted(vm)).toBe(false);
  exceptionOf(vm, code).dispose();
  expect(isExhausted(vm)).toBe(isRemembered);
  vm.dispose();
});

test("every InternalError is uncatchable, so the prelude takes the constructor away", async () => {
  const vm = await createVm();
  expect(isUncatchable(vm, exceptionOf(vm, 'try { throw new InternalError("mine") } catch { 1 }'))).toBe(true);
  vm.dispose();
});

test("columns in stacks are 1-based UTF-8 bytes", async () => {
  const vm = await createVm();
  const exception = exceptionOf(vm, 'const é = "é"; null.foo');
  expect(exception.stack).toMatch(/<eval>:1:17/);
  vm.dispose();
});

test("a handle's token finds the same object in a restored VM", async () => {
  const { module } = await loadEngine();
  const vm = await createVm();
  const token = vm.exportHandle(vm.evalCode("({ answer: 42 })"));
  const restored = await QuickJS.restore(vm.snapshot(), { wasm: module });
  vm.dispose();
  const answer = restored.importHandle(token).getProp("answer").toNumber();
  restored.dispose();
  expect(answer).toBe(42);
});

test("the heap is a row of chunks from the runtime to the end of the memory, and the stack lies at the bottom", async () => {
  const vm = await createVm();
  vm.evalCode('let all = []; for (let i = 0; i < 200; i++) all.push("x".repeat(5000) + i); all = undefined;').dispose();
  vm.runGC();
  expect([clearFreeMemory(vm, firstChunkOf(vm)), clearDeadStack(vm)]).toEqual([true, true]);
  const memory = Buffer.from(vm._getMemory().buffer);
  expect(memory.indexOf("x".repeat(1_000))).toBe(-1);
  expect(vm.evalCode("[1, 2, 3].map((x) => x * 2).join()").toString()).toBe("2,4,6");
  expect(clearFreeMemory(vm, firstChunkOf(vm) + 8)).toBe(false);
  vm.dispose();
});

test("the random state and the zero of time are found in the context", async () => {
  const { module } = await loadEngine();
  const clock = createVmClock();
  clock.freeze({ realtime: 1_000_000_000_123_456_789n, monotonic: 1_234_567_000n });
  const vm = await QuickJS.create({ wasm: module, wasi: clock.wasi });
  const places = findEntropy(vm, 1_234.567);
  expect(places).toBeDefined();
  if (places === undefined) return;
  const draw = (random: number): number => {
    plantEntropy(vm, places, { random, now: 0 });
    return vm.evalCode("Math.random()").toNumber();
  };
  expect([draw(1) === draw(1), draw(1) === draw(2)]).toEqual([true, false]);
  vm.dispose();
});

test("every handle passes by the scope it belongs to, those of exceptions and of scopes within included", async () => {
  const vm = await createVm();
  const handles = countHandles(vm);
  const counts = [handles.live()];
  const text = vm.newString("a");
  const copy = text.dup();
  counts.push(handles.live());
  const escaped = vm.withScope((scope) => {
    vm.newString("b");
    return scope.escape(vm.evalCode("[1]"));
  });
  counts.push(handles.live());
  const exceptions = Array.from({ length: 100 }, () => exceptionOf(vm, "null.x"));
  counts.push(handles.live());
  for (const exception of exceptions) exception.dispose();
  for (const handle of [text, copy, escaped]) handle.dispose();
  counts.push(handles.live());
  for (let n = 0; n < 100; n++) exceptionOf(vm, "null.x").dispose();
  counts.push(handles.live());
  void [vm.global, vm.undefined, vm.null, vm.true, vm.false];
  counts.push(handles.live());
  expect(counts).toEqual([0, 2, 3, 103, 0, 0, 0]);
  vm.dispose();
});
