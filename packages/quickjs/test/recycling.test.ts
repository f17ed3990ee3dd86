import { VM_LIMITS, repliesTo, sourceOf, surfaceOf } from "@codemode/testing";
import type { GuestRuntime, GuestVm } from "@codemode/protocol";
import { QuickJS } from "quickjs-wasi";
import { afterEach, expect, test, vi } from "vitest";
import { createQuickJsRuntime } from "../src/index.js";
import { watchEngines, type WatchedEngines } from "./watch-engines.js";

const BUDGET_MS = 10_000;
const SURFACE = surfaceOf("echo");

afterEach(() => vi.restoreAllMocks());

/** How a cell ends, from its first step on. `isAborted` holds from the moment it is set. */
type Ending = (cell: { vm: GuestVm; run: string; isAborted: { value: boolean } }) => void;

const evaluate =
  (code: string, budgetMs = BUDGET_MS): Ending =>
  ({ vm, run }) =>
    void vm.evaluate(sourceOf(run + code), budgetMs);

/** The engine's types of WebAssembly do not have it. */
const { RuntimeError: Trap } = WebAssembly as unknown as { RuntimeError: ErrorConstructor };

const endsTrapped: Ending = ({ vm, run }) => {
  vi.spyOn(QuickJS.prototype, "executePendingJobs").mockImplementationOnce(() => {
    throw new Trap("unreachable");
  });
  expect(vm.evaluate(sourceOf(run), BUDGET_MS)).toMatchObject({ type: "failed" });
};

const endsAborted: Ending = ({ vm, run, isAborted }) => {
  vm.evaluate(sourceOf(`${run} await echo({}); for (;;) {}`), BUDGET_MS);
  isAborted.value = true;
  const replies = [{ id: 1, ok: true, value: "null" } as const];
  expect(vm.deliver({ replies }, BUDGET_MS)).toMatchObject({ failure: { code: "aborted" } });
};

const CLEAN: [name: string, end: Ending][] = [
  ["returned", evaluate("return 1;")],
  ["threw", evaluate("throw new Error(kept[0]);")],
  ["left a rejection", evaluate("Promise.reject(new Error(kept[0])); return 1;")],
  ["could not be compiled", evaluate("return ]")],
  ["was closed while it waited", evaluate("await echo({ all: kept[0] });")],
  ["overflowed its stack", evaluate("const again = () => again(); try { again(); } catch {} return 1;")],
];

const UNCLEAN: [name: string, end: Ending][] = [
  ["was interrupted", evaluate("for (;;) {}", 30)],
  ["was aborted", endsAborted],
  ["exhausted its memory", evaluate("const all = []; for (;;) all.push(new Array(1000).fill(1));")],
  ["grew", evaluate('globalThis.big = "x".repeat(8_000_000) + "y"; return 1;')],
  ["trapped", endsTrapped],
];

const CANARY = "canary-4f1d";
/** Leaves the canary in strings of both widths, in a typed array and in the result of a call, all over the heap. */
const FILL = `
  globalThis.kept = [];
  for (let i = 0; i < 500; i++) kept.push("${CANARY}".toUpperCase() + i, "${CANARY}" + String.fromCharCode(0x4e00 + i));
  globalThis.bytes = Uint8Array.from("${CANARY}".repeat(50), (c) => c.charCodeAt(0));
  text(kept[0]);
`;

function traces({ memories }: WatchedEngines): number[] {
  const needles = [CANARY, CANARY.toUpperCase()].flatMap((text) => [Buffer.from(text), Buffer.from(text, "utf16le")]);
  return memories().flatMap((memory) => needles.map((needle) => memory.indexOf(needle)).filter((at) => at >= 0));
}

async function openCell(runtime: GuestRuntime): Promise<{ vm: GuestVm; isAborted: { value: boolean } }> {
  const isAborted = { value: false };
  return { vm: await runtime.create(SURFACE, { limits: VM_LIMITS, isAborted: () => isAborted.value }), isAborted };
}

async function runPlain(runtime: GuestRuntime): Promise<unknown> {
  const vm = await runtime.create(SURFACE, { limits: VM_LIMITS });
  const step = vm.evaluate(sourceOf("return [typeof kept, typeof bytes, typeof big];"), BUDGET_MS);
  vm.dispose();
  return step.type === "completed" ? JSON.parse(step.value.text) : step;
}

test.each([
  ...CLEAN.map(([name, end]) => ["used again", name, end, 0] as const),
  ...UNCLEAN.map(([name, end]) => ["dropped", name, end, 1] as const),
])("SEC-02: an engine is %s when its cell %s, and no byte of the cell is left", async (_use, _name, end, made) => {
  const engines = watchEngines();
  const runtime = createQuickJsRuntime();
  await runPlain(runtime);
  const before = engines.made();
  const cell = await openCell(runtime);
  end({ ...cell, run: FILL });
  cell.vm.dispose();
  expect(engines.made()).toBe(before);
  expect(traces(engines)).toEqual([]);
  expect(await runPlain(runtime)).toEqual(["undefined", "undefined", "undefined"]);
  expect(engines.made()).toBe(before + made);
  expect(runtime.liveHandles()).toBe(0);
  runtime.dispose();
});

test("SEC-02: a cell that parked and resumed elsewhere leaves nothing in either place", async () => {
  const engines = watchEngines();
  const [first, second] = [createQuickJsRuntime(), createQuickJsRuntime()];
  const { vm } = await openCell(first);
  const step = vm.evaluate(sourceOf(`${FILL} await echo({}); return kept.length;`), BUDGET_MS);
  const snapshot = vm.park();
  expect(traces(engines)).not.toEqual([]);
  vm.dispose();
  expect(traces(engines)).toEqual([]);
  expect(Buffer.from(snapshot.memory).includes(CANARY)).toBe(true);

  const resumed = await second.restore(snapshot, SURFACE, { limits: VM_LIMITS });
  expect(resumed.deliver({ replies: repliesTo(step) }, BUDGET_MS)).toMatchObject({ value: { text: "1000" } });
  resumed.dispose();
  expect(traces(engines)).toEqual([]);
  for (const runtime of [first, second]) {
    expect(await runPlain(runtime)).toEqual(["undefined", "undefined", "undefined"]);
    runtime.dispose();
  }
});

test("SEC-02: an engine that refused a parked cell is as if it had never seen it", async () => {
  const engines = watchEngines();
  const runtime = createQuickJsRuntime();
  const { vm } = await openCell(runtime);
  vm.evaluate(sourceOf(`${FILL} await echo({});`), BUDGET_MS);
  const snapshot = vm.park();
  vm.dispose();
  const before = engines.made();
  const damaged = { ...snapshot, checksum: snapshot.checksum ^ 1 };
  await expect(runtime.restore(damaged, SURFACE, { limits: VM_LIMITS })).rejects.toThrow("damaged memory");
  expect(traces(engines)).toEqual([]);
  expect(await runPlain(runtime)).toEqual(["undefined", "undefined", "undefined"]);
  expect(engines.made()).toBe(before);
  runtime.dispose();
});
