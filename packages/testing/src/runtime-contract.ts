import { afterEach, describe, expect, test } from "vitest";
import type {
  BridgeReply,
  BridgeRequest,
  GuestRuntime,
  GuestSurface,
  GuestVm,
  PreparedSource,
  VmLimits,
  VmOptions,
  VmStep,
} from "@codemode/protocol";

export const VM_LIMITS: VmLimits = {
  memoryLimitBytes: 64 * 1024 * 1024,
  maxOutputBytes: 65_536,
  maxSnapshotBytes: 10 * 1024 * 1024,
  maxSourceBytes: 262_144,
};

const BUDGET_MS = 10_000;

/** A surface with one global per name; the binding is the index. */
export function surfaceOf(...names: string[]): GuestSurface {
  const tools = names.map((name, binding) => ({
    binding,
    callableName: name,
    toolName: name,
    description: `About ${name}.`,
    source: "host",
    input: "{}",
    isGlobal: true,
  }));
  return { fingerprint: names.join(), tools, mcp: [], apiFiles: [] };
}

/** A source whose text is the engine's code as it stands. */
export function sourceOf(code: string): PreparedSource {
  return { language: "javascript", submitted: code, code, insertions: [] };
}

/** Answers every request of a step with its input, or with what `answer` gives. */
export function repliesTo(step: VmStep, answer = echo): BridgeReply[] {
  return step.type === "boundary" ? step.requests.map((request) => answer(request)) : [];
}

function echo(request: BridgeRequest): BridgeReply {
  return { id: request.id, ok: true, value: request.method === "call" ? request.input : "null" };
}

function flipBit(bytes: Uint8Array, at: number): Uint8Array {
  const flipped = bytes.slice();
  flipped[at] = (flipped[at] ?? 0) ^ 1;
  return flipped;
}

/**
 * The suite that every `GuestRuntime` passes. `create` gives a fresh one per test, which the suite disposes. After each
 * test no handle may be live.
 */
export function describeRuntimeContract(name: string, create: () => GuestRuntime): void {
  const made: GuestRuntime[] = [];
  function createRuntime(): GuestRuntime {
    const runtime = create();
    made.push(runtime);
    return runtime;
  }

  async function withVm(
    work: (vm: GuestVm, runtime: GuestRuntime) => Promise<void> | void,
    options?: Partial<VmOptions>,
  ) {
    const runtime = createRuntime();
    const vm = await runtime.create(surfaceOf("echo", "add"), { limits: VM_LIMITS, ...options });
    try {
      await work(vm, runtime);
    } finally {
      vm.dispose();
    }
  }

  /** Runs a cell to its end, echoing every call. */
  function runToEnd(vm: GuestVm, code: string): VmStep {
    let step = vm.evaluate(sourceOf(code), BUDGET_MS);
    for (let turn = 0; step.type === "boundary" && turn < 1_000; turn++) {
      step = vm.deliver({ replies: repliesTo(step) }, BUDGET_MS);
    }
    return step;
  }

  function valueOf(step: VmStep): unknown {
    return step.type === "completed" ? JSON.parse(step.value.text) : step;
  }

  describe(`${name}: runtime contract`, () => {
    afterEach(() => {
      const runtimes = made.splice(0);
      const live = runtimes.map((runtime) => runtime.liveHandles());
      for (const runtime of runtimes) runtime.dispose();
      expect(live).toEqual(runtimes.map(() => 0));
    });

    test("a VM holds handles until it is disposed", async () => {
      const runtime = createRuntime();
      const vm = await runtime.create(surfaceOf("echo"), { limits: VM_LIMITS });
      vm.evaluate(sourceOf("await echo({});"), BUDGET_MS);
      expect(runtime.liveHandles()).toBeGreaterThan(0);
      vm.dispose();
      expect(runtime.liveHandles()).toBe(0);
      vm.dispose();
      expect(runtime.liveHandles()).toBe(0);
    });

    test("a cell returns its value", () =>
      withVm((vm) => {
        expect(valueOf(runToEnd(vm, "return { a: [1, 'two', null] };"))).toEqual({ a: [1, "two", null] });
      }));

    test("EXEC-06: undefined becomes null, and output keeps guest order", () =>
      withVm((vm) => {
        const step = runToEnd(vm, 'text("a"); json({ b: 1 }); text(3);');
        expect(valueOf(step)).toBe(null);
        expect(step.output.items.map((item) => JSON.parse(item.text) as unknown)).toEqual([
          { type: "text", text: "a" },
          { type: "json", value: { b: 1 } },
          { type: "text", text: "3" },
        ]);
      }));

    test("a call is one request with JSON input, and its reply resumes the cell", () =>
      withVm((vm) => {
        const step = vm.evaluate(sourceOf("const r = await echo({ n: 1 }); return r.n + 1;"), BUDGET_MS);
        expect(step).toMatchObject({
          type: "boundary",
          requests: [{ method: "call", id: 1, binding: 0, input: '{"n":1}' }],
          cancelled: [],
          isSettled: false,
        });
        expect(valueOf(vm.deliver({ replies: repliesTo(step) }, BUDGET_MS))).toBe(2);
      }));

    test("replies resume in the order in which they are delivered", () =>
      withVm((vm) => {
        const code = `const order = [];
          await Promise.all(["a", "b"].map(async (x) => { await echo({ x }); order.push(x); }));
          return order;`;
        const step = vm.evaluate(sourceOf(code), BUDGET_MS);
        const replies = repliesTo(step).reverse();
        expect(valueOf(vm.deliver({ replies }, BUDGET_MS))).toEqual(["b", "a"]);
      }));

    test("ERR-01: a failed reply is a catchable Error with name, message and code", () =>
      withVm((vm) => {
        const code = `try { await echo({}); } catch (error) {
          return [error instanceof Error, error.name, error.message, error.code, Object.getPrototypeOf(error) === Error.prototype];
        }`;
        const step = vm.evaluate(sourceOf(code), BUDGET_MS);
        const error = { name: "ToolError", message: "no", code: "E1" };
        const replies = repliesTo(step, (request) => ({ id: request.id, ok: false, error }));
        expect(valueOf(vm.deliver({ replies }, BUDGET_MS))).toEqual([true, "ToolError", "no", "E1", true]);
      }));

    test("EXEC-09: a promise with nothing to wait for fails at once", () =>
      withVm((vm) => {
        expect(runToEnd(vm, "await new Promise(() => {});")).toMatchObject({
          type: "failed",
          failure: { phase: "guest", message: "Error: code mode promise is pending without host work" },
        });
      }));

    test("EXEC-08: an unhandled rejection fails the cell, one handled later does not", () =>
      withVm((vm) => {
        const code = 'Promise.reject(new TypeError("lost")); return 1;';
        expect(runToEnd(vm, code)).toMatchObject({ type: "failed", failure: { message: "TypeError: lost" } });
      }));

    test("EXEC-10: an uncaught error has name, message and engine position", () =>
      withVm((vm) => {
        expect(runToEnd(vm, 'const é = "é";\n  null.foo;')).toMatchObject({
          type: "failed",
          failure: { phase: "guest", position: { line: 2 } },
        });
      }));

    test("LIM-01: an infinite loop ends as timeout, whatever it catches", () =>
      withVm((vm) => {
        const code = 'try { while (true) {} } catch { return "escaped"; } finally { while (true) {} }';
        expect(vm.evaluate(sourceOf(code), 50)).toMatchObject({
          type: "failed",
          failure: { code: "timeout", phase: "guest" },
        });
      }));

    test("an aborted cell ends as aborted", () => {
      let isAborted = false;
      return withVm(
        (vm) => {
          isAborted = true;
          expect(vm.evaluate(sourceOf("while (true) {}"), BUDGET_MS)).toMatchObject({
            type: "failed",
            failure: { code: "aborted", phase: "host" },
          });
        },
        { isAborted: () => isAborted },
      );
    });

    test("WAIT-03: a parked cell resumes in another VM with everything it held", async () => {
      const runtime = createRuntime();
      const options = { limits: VM_LIMITS };
      const code = `const map = new Map([["k", 1]]);
        const first = await echo({ n: 1 });
        await yield_control("later");
        const second = await add({ n: 2 });
        return [first.n, second.n, map.get("k")];`;
      const vm = await runtime.create(surfaceOf("echo", "add"), options);
      let step = vm.evaluate(sourceOf(code), BUDGET_MS);
      step = vm.deliver({ replies: repliesTo(step) }, BUDGET_MS);
      expect(step).toMatchObject({ type: "boundary", requests: [{ method: "yield", reason: "later" }] });
      const snapshot = vm.park();
      vm.dispose();
      const resumed = await runtime.restore(snapshot, surfaceOf("echo", "add"), options);
      const third = resumed.deliver({ replies: repliesTo(step) }, BUDGET_MS);
      expect(third).toMatchObject({ type: "boundary", requests: [{ method: "call", id: 3, binding: 1 }] });
      expect(valueOf(resumed.deliver({ replies: repliesTo(third) }, BUDGET_MS))).toEqual([1, 2, 1]);
      resumed.dispose();
    });

    test("a runtime may be loaded first, more than once, and makes VMs as any other", async () => {
      const runtime = createRuntime();
      await Promise.all([runtime.load(), runtime.load()]);
      const vm = await runtime.create(surfaceOf(), { limits: VM_LIMITS });
      expect(runToEnd(vm, "return 1;")).toMatchObject({ type: "completed" });
      vm.dispose();
      runtime.dispose();
    });

    test("WAIT-13: a damaged snapshot or one of another engine build is refused", async () => {
      const runtime = createRuntime();
      const vm = await runtime.create(surfaceOf(), { limits: VM_LIMITS });
      vm.evaluate(sourceOf("await yield_control();"), BUDGET_MS);
      const snapshot = vm.park();
      vm.dispose();
      const { byteLength } = snapshot.memory;
      for (const damaged of [
        { ...snapshot, engine: "another" },
        { ...snapshot, formatVersion: 99 },
        { ...snapshot, memory: snapshot.memory.subarray(1) },
        { ...snapshot, memory: new Uint8Array() },
        { ...snapshot, memory: "text" as unknown as Uint8Array },
        ...[0, 9, byteLength >> 1, byteLength - 1].map((at) => ({ ...snapshot, memory: flipBit(snapshot.memory, at) })),
        { ...snapshot, channelToken: 0 },
        { ...snapshot, stackPointer: snapshot.stackPointer + 16 },
        { ...snapshot, checksum: snapshot.checksum ^ 1 },
        { ...snapshot, compression: { format: "deflate" as const, memoryBytes: byteLength } },
      ]) {
        await expect(runtime.restore(damaged, surfaceOf(), { limits: VM_LIMITS })).rejects.toMatchObject({
          code: "snapshot_incompatible",
        });
      }
    });

    const keepsData = `const kept = new Map([["key", "kept"]]);
      const freed = "x".repeat(100_000).length;
      const { n } = await echo({ n: 3 });
      return [kept.get("key"), n];`;

    test("WAIT-12: a VM stays live when it was parked, and both copies go on", async () => {
      const runtime = createRuntime();
      const vm = await runtime.create(surfaceOf("echo"), { limits: VM_LIMITS });
      const step = vm.evaluate(sourceOf(keepsData), BUDGET_MS);
      vm.park();
      const snapshot = vm.park();
      const copy = await runtime.restore(snapshot, surfaceOf("echo"), { limits: VM_LIMITS });
      for (const one of [vm, copy]) {
        expect(valueOf(one.deliver({ replies: repliesTo(step) }, BUDGET_MS))).toEqual(["kept", 3]);
        one.dispose();
      }
    });

    test("WAIT-07: a VM larger than the limit does not park, and stays live", () =>
      withVm(
        (vm) => {
          const step = vm.evaluate(sourceOf(keepsData), BUDGET_MS);
          expect(() => vm.park()).toThrow(/holds \d+ bytes and may park at most 1024/);
          expect(valueOf(vm.deliver({ replies: repliesTo(step) }, BUDGET_MS))).toEqual(["kept", 3]);
        },
        { limits: { ...VM_LIMITS, maxSnapshotBytes: 1_024 } },
      ));
  });
}
