import { afterEach, describe, expect, test } from "vitest";
import {
  CodeModeError,
  encodeCommand,
  joinReport,
  type Delivery,
  type GuestRuntime,
  type GuestSurface,
  type GuestVm,
  type PreparedSource,
  type VmLimits,
  type VmOptions,
  type VmSnapshot,
  type VmStep,
  type WorkerCommand,
  type WorkerReport,
} from "@codemode/protocol";
import { SourceError } from "@codemode/transform";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { CellEngine } from "./live-cell.js";
import { serve, type ServeTask } from "./serve.js";

const limits: VmLimits = { memoryLimitBytes: 1e6, maxOutputBytes: 1e4, maxSnapshotBytes: 1e6, maxSourceBytes: 1000 };
const surface: GuestSurface = { fingerprint: "f", tools: [], mcp: [], apiFiles: [] };
const introduction: WorkerCommand = { type: "surface", fingerprint: "f", text: JSON.stringify(surface) };
const STOP: WorkerCommand = { type: "stop" };
const shared = { output: { items: [], omittedItems: 0, omittedBytes: 0 }, guestMs: 2 };
const boundary: VmStep = { type: "boundary", requests: [], cancelled: [3], isSettled: false, ...shared };
const completed: VmStep = { type: "completed", value: { text: "1", bytes: 1, isComplete: true }, ...shared };
const snapshot = {
  formatVersion: 1,
  engine: "e",
  memory: new Uint8Array([1, 2, 3]),
  stackPointer: 1,
  runtimePtr: 1,
  contextPtr: 1,
  channelToken: 1,
  checksum: 0,
  bytes: 3,
};

/** What the fake VM was asked, and how it answers: the source names the answer to each call, in order. */
interface FakeEngine extends CellEngine {
  readonly log: unknown[];
  readonly live: Set<GuestVm>;
  isDisposed: boolean;
}

type Answer = (options: VmOptions) => VmStep | VmSnapshot;

function fakeEngine(answers: Answer[], overrides: Partial<GuestRuntime> = {}): FakeEngine {
  const engine: FakeEngine = {
    log: [],
    live: new Set(),
    isDisposed: false,
    runtime: {
      load: () => Promise.resolve(),
      create: (made, options) => {
        engine.log.push(["create", made.fingerprint, options.limits, options.seed]);
        return Promise.resolve(fakeVm(engine, answers, options));
      },
      restore: (restored, _surface, options) => {
        engine.log.push(["restore", [...restored.memory], options.seed]);
        return Promise.resolve(fakeVm(engine, answers, options));
      },
      liveHandles: () => engine.live.size,
      dispose: () => void (engine.isDisposed = true),
      ...overrides,
    },
    prepareSource: (source, { language, maxSourceBytes }) => {
      if (!source.startsWith("bad")) return Promise.resolve(prepared(source));
      const place = source === "bad" ? undefined : { line: 2, column: 3 };
      return Promise.reject(new SourceError(`no: ${language} ${maxSourceBytes}`, place));
    },
    explainFailure: ({ submitted }, { message, position }) =>
      position === undefined || submitted === "placeless"
        ? { message }
        : { message, location: { line: position.line + 1, column: position.columnBytes + 1 } },
  };
  return engine;
}

function fakeVm(engine: FakeEngine, answers: Answer[], options: VmOptions): GuestVm {
  const answer = (...call: unknown[]) => {
    engine.log.push(call);
    const next = answers.shift();
    if (next === undefined) throw new Error("no answer left");
    return next(options);
  };
  const vm: GuestVm = {
    evaluate: (source, budgetMs) => answer("evaluate", source.code, roughly(budgetMs)) as VmStep,
    deliver: (delivery: Delivery, budgetMs) => answer("deliver", delivery, roughly(budgetMs)) as VmStep,
    park: () => answer("park") as VmSnapshot,
    dispose: () => void engine.live.delete(vm),
  };
  engine.live.add(vm);
  return vm;
}

/** Budgets shrink while the cell is prepared. */
function roughly(budgetMs: number): number {
  return Math.ceil(budgetMs / 1000) * 1000;
}

function prepared(code: string): PreparedSource {
  return { language: "javascript", submitted: code, code, insertions: [] };
}

const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

/** Serves the commands, which are all sent at once; gives the reports once the worker has stopped. */
async function play(engine: FakeEngine, commands: WorkerCommand[]): Promise<WorkerReport[]> {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  const reports: WorkerReport[] = [];
  port1.on("message", (message) => reports.push(joinReport(message) as WorkerReport));
  const closed = new Promise((resolve) => port1.once("close", resolve));
  for (const command of [introduction, ...commands, STOP]) port1.postMessage(encodeCommand(command));
  await serve(taskOf(port2), engine);
  await closed;
  return reports;
}

function taskOf(port: MessagePort): ServeTask {
  return { type: "serve", port, doorbell: new SharedArrayBuffer(4), isAwaited: true };
}

function start(cell: number, source = "code"): WorkerCommand {
  const seed = { random: 1, now: 2 };
  const cellStart = { type: "source", source, language: "javascript", surface: "f", seed } as const;
  return { type: "start", cell, step: 1, start: cellStart, limits, remainingMs: 4000 };
}

function step(cell: number, number: number, result: unknown): unknown {
  return { type: "step", cell, step: number, result };
}

function failed(failure: object): unknown {
  return { type: "failed", failure, output: { items: [], omittedItems: 0, omittedBytes: 0 }, guestMs: 0 };
}

describe("serving cells", () => {
  test("a cell runs from start through deliveries to its value, then the next one", async () => {
    const engine = fakeEngine([() => boundary, () => completed, () => completed]);
    const delivery: Delivery = { replies: [{ id: 1, ok: true, value: "1" }], cancelled: [2] };
    const reports = await play(engine, [
      start(1, "first"),
      { type: "deliver", cell: 1, step: 2, delivery, remainingMs: 3000 },
      start(2, "second"),
    ]);
    expect(reports).toEqual([{ type: "ready" }, step(1, 1, boundary), step(1, 2, completed), step(2, 1, completed)]);
    expect(engine.log).toEqual([
      ["create", "f", limits, { random: 1, now: 2 }],
      ["evaluate", "first", 4000],
      ["deliver", delivery, 3000],
      ["create", "f", limits, { random: 1, now: 2 }],
      ["evaluate", "second", 4000],
    ]);
    expect([engine.live.size, engine.isDisposed]).toEqual([0, true]);
  });

  test("a source prepared elsewhere is taken as it is", async () => {
    const engine = fakeEngine([() => completed]);
    await play(engine, [{ ...start(1, "bad"), prepared: prepared("compiled") } as WorkerCommand]);
    expect(engine.log[1]).toEqual(["evaluate", "compiled", 4000]);
  });

  test("parking hands over memory and source, and frees the VM; resuming goes on with the replies", async () => {
    const engine = fakeEngine([
      () => boundary,
      () => ({ ...snapshot, memory: new Uint8Array([0, 1, 2, 3]).subarray(1) }),
      () => completed,
    ]);
    const parked = { snapshot, source: prepared("code") };
    const cellStart = { type: "parked", parked, surface: "f", replies: [{ id: 1, ok: true, value: "1" }] } as const;
    const reports = await play(engine, [
      start(1),
      { type: "park", cell: 1, step: 2, maxBytes: 1000, remainingMs: 1000 },
      { type: "start", cell: 2, step: 1, start: cellStart, limits, remainingMs: 1000 },
    ]);
    const guestMs = expect.any(Number) as number;
    expect(reports.slice(2)).toEqual([
      step(1, 2, { type: "parked", parked, ...shared, guestMs }),
      step(2, 1, completed),
    ]);
    expect(engine.log.slice(2)).toEqual([
      ["park"],
      ["restore", [1, 2, 3], undefined],
      ["deliver", { replies: [{ id: 1, ok: true, value: "1" }], cancelled: [] }, 1000],
    ]);
    expect(engine.live.size).toBe(0);
  });

  test("EXEC-10: a failure's place is found in the submitted source", async () => {
    const failure = { message: "Error: x", phase: "guest", position: { line: 1, columnBytes: 4 } } as const;
    const engine = fakeEngine([
      () => ({ type: "failed", failure, ...shared }),
      () => ({ type: "failed", failure, ...shared }),
      () => ({ type: "failed", failure: { message: "Error: y", phase: "guest" }, ...shared }),
    ]);
    const reports = await play(engine, [start(1), start(2, "placeless"), start(3)]);
    expect(reports.slice(1)).toEqual([
      step(1, 1, {
        type: "failed",
        failure: { message: "Error: x", phase: "guest", location: { line: 2, column: 5 } },
        ...shared,
      }),
      step(2, 1, { type: "failed", failure: { message: "Error: x", phase: "guest" }, ...shared }),
      step(3, 1, { type: "failed", failure: { message: "Error: y", phase: "guest" }, ...shared }),
    ]);
  });

  test("a refused source is an input failure, with its place where known; no VM is made", async () => {
    const engine = fakeEngine([]);
    const refused = { message: "no: javascript 1000", code: "invalid_input", phase: "input" };
    expect((await play(engine, [start(1, "bad"), start(2, "bad place")])).slice(1)).toEqual([
      step(1, 1, failed(refused)),
      step(2, 1, failed({ ...refused, location: { line: 2, column: 3 } })),
    ]);
    expect(engine.log).toEqual([]);
  });
});

test("a worker that nobody waits for runs a cell that does nothing before it is ready", async () => {
  const engine = fakeEngine([() => completed]);
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  const ready = new Promise((resolve) => port1.once("message", resolve));
  const served = serve({ ...taskOf(port2), isAwaited: false }, engine);
  expect(joinReport(await ready)).toEqual({ type: "ready" });
  const warmUpLimits = {
    memoryLimitBytes: 16_777_216,
    maxOutputBytes: 1024,
    maxSnapshotBytes: 1024,
    maxSourceBytes: 1024,
  };
  expect(engine.log).toEqual([
    ["create", "", warmUpLimits, undefined],
    ["evaluate", "return null;", 10_000],
  ]);
  expect(engine.live.size).toBe(0);
  port1.postMessage(encodeCommand(STOP));
  await served;
});

describe("ending cells", () => {
  test("OWN-05: an end that arrives while the guest runs interrupts it", async () => {
    const engine = fakeEngine([
      ({ isAborted }) => {
        while (isAborted?.() !== true);
        return { type: "failed", failure: { message: "aborted", code: "aborted", phase: "host" }, ...shared };
      },
    ]);
    const reports = await play(engine, [start(1), { type: "end", cell: 1 }]);
    expect(reports.slice(1)).toEqual([
      step(1, 1, { type: "failed", failure: { message: "aborted", code: "aborted", phase: "host" }, ...shared }),
      { type: "ended", cell: 1 },
    ]);
  });

  test("an end of another cell does not", async () => {
    const answers: Answer[] = [({ isAborted }) => (isAborted?.() === true ? boundary : completed)];
    const reports = await play(fakeEngine(answers), [start(2), { type: "end", cell: 1 }]);
    expect(reports.slice(1)).toEqual([step(2, 1, completed), { type: "ended", cell: 1 }]);
  });

  test("an end at a boundary disposes the VM; one after the cell's end is answered too", async () => {
    const engine = fakeEngine([() => boundary, () => completed]);
    const reports = await play(engine, [start(1), { type: "end", cell: 1 }, start(2), { type: "end", cell: 2 }]);
    expect(reports.slice(1)).toEqual([
      step(1, 1, boundary),
      { type: "ended", cell: 1 },
      step(2, 1, completed),
      { type: "ended", cell: 2 },
    ]);
    expect(engine.live.size).toBe(0);
  });

  test("a stop disposes what is live", async () => {
    const engine = fakeEngine([() => boundary]);
    await play(engine, [start(1)]);
    expect([engine.live.size, engine.isDisposed]).toEqual([0, true]);
  });

  test("a host that goes away is a stop", async () => {
    const engine = fakeEngine([]);
    const { port1, port2 } = new MessageChannel();
    const served = serve(taskOf(port2), engine);
    port1.once("message", () => port1.close());
    await served;
    expect(engine.isDisposed).toBe(true);
  });
});

describe("WAIT-12: a cell too large to park is told so and stays live", () => {
  const refused = (message: string) => {
    const failure = { message: `CodeModeError: ${message}`, code: "snapshot_limit_exceeded", phase: "host" };
    return { type: "refused", failure, output: { items: [], omittedItems: 0, omittedBytes: 0 }, guestMs: 0 };
  };
  const delivery: Delivery = { replies: [{ id: 1, ok: true, value: "1" }] };

  test.each([
    [
      "for the engine",
      new CodeModeError("snapshot_limit_exceeded", "too large.", { limitBytes: 1, actualBytes: 2 }),
      9,
    ],
    ["for what it is asked for", "The cell would park as 3 bytes, and there is room for 2.", 2],
  ])("%s", async (_case, limit, maxBytes) => {
    const park = () => {
      if (typeof limit === "string") return snapshot;
      throw limit;
    };
    const engine = fakeEngine([() => boundary, park, () => completed]);
    const reports = await play(engine, [
      start(1),
      { type: "park", cell: 1, step: 2, maxBytes, remainingMs: 1000 },
      { type: "deliver", cell: 1, step: 3, delivery, remainingMs: 1000 },
    ]);
    const message = typeof limit === "string" ? limit : limit.message;
    expect(reports.slice(1)).toEqual([step(1, 1, boundary), step(1, 2, refused(message)), step(1, 3, completed)]);
    expect(engine.live.size).toBe(0);
  });

  test("any other fault while it parks ends it", async () => {
    const bug = () => {
      throw new TypeError("x is undefined");
    };
    const engine = fakeEngine([() => boundary, bug]);
    const reports = await play(engine, [start(1), { type: "park", cell: 1, step: 2, maxBytes: 9, remainingMs: 1000 }]);
    const failure = { message: "TypeError: x is undefined", code: "internal_error", phase: "host" };
    expect(reports.slice(1)).toEqual([step(1, 1, boundary), step(1, 2, failed(failure))]);
    expect(engine.live.size).toBe(0);
  });
});

describe("WAIT-12: a cell that is to park at its boundary", () => {
  // Its memory is moved to the host.
  const fresh = () => ({ ...snapshot, memory: new Uint8Array([1, 2, 3]) });
  const parkedBoundary = {
    ...boundary,
    guestMs: expect.any(Number) as number,
    parked: { snapshot: fresh(), source: prepared("code") },
  };
  const first = { ...start(1), parkBytes: 3 } as WorkerCommand;
  const delivery: Delivery = { replies: [{ id: 1, ok: true, value: "1" }] };

  test("does so at once, and is gone", async () => {
    const engine = fakeEngine([() => boundary, fresh, () => boundary, fresh]);
    const parkedCell = { snapshot: fresh(), source: prepared("code") };
    const again = { type: "parked", parked: parkedCell, surface: "f", replies: [] } as const;
    const reports = await play(engine, [
      first,
      { type: "start", cell: 2, step: 1, start: again, limits, remainingMs: 4000, parkBytes: 3 },
      { type: "deliver", cell: 2, step: 2, delivery, remainingMs: 1000 },
    ]);
    const gone = { message: "Error: There is no cell to deliver.", code: "internal_error", phase: "host" };
    expect(reports.slice(1)).toMatchObject([
      step(1, 1, parkedBoundary),
      step(2, 1, parkedBoundary),
      step(2, 2, failed(gone)),
    ]);
    expect(engine.live.size).toBe(0);
  });

  test("after a delivery too", async () => {
    const engine = fakeEngine([() => boundary, () => boundary, fresh]);
    const reports = await play(engine, [
      start(1),
      { type: "deliver", cell: 1, step: 2, delivery, remainingMs: 1000, parkBytes: 3 },
    ]);
    expect(reports.slice(1)).toMatchObject([step(1, 1, boundary), step(1, 2, parkedBoundary)]);
    expect(engine.live.size).toBe(0);
  });

  test("stays live where there is no room, and when it ends there is nothing to park", async () => {
    const engine = fakeEngine([() => boundary, fresh, () => completed]);
    const reports = await play(engine, [
      { ...first, parkBytes: 2 } as WorkerCommand,
      { type: "deliver", cell: 1, step: 2, delivery, remainingMs: 1000, parkBytes: 3 },
    ]);
    expect(reports.slice(1)).toEqual([step(1, 1, boundary), step(1, 2, completed)]);
  });

  test("fails by any other fault of parking", async () => {
    const bug = () => {
      throw new TypeError("x is undefined");
    };
    const engine = fakeEngine([() => boundary, bug]);
    const failure = { message: "TypeError: x is undefined", code: "internal_error", phase: "host" };
    expect((await play(engine, [first])).slice(1)).toEqual([step(1, 1, { type: "failed", failure, ...shared })]);
    expect(engine.live.size).toBe(0);
  });
});

describe("faults are told as failures of the cell", () => {
  const faults: [string, CodeModeError | Error, object][] = [
    [
      "a VM that cannot be made",
      new CodeModeError("runtime_unavailable", "no memory.", { reason: "no memory" }),
      { message: "CodeModeError: no memory.", code: "runtime_unavailable", phase: "host" },
    ],
    [
      "an incompatible snapshot",
      new CodeModeError("snapshot_incompatible", "another build.", { reason: "another build" }),
      { message: "CodeModeError: another build.", code: "runtime_unavailable", phase: "host" },
    ],
    [
      "too large a snapshot",
      new CodeModeError("snapshot_limit_exceeded", "too large.", { limitBytes: 1, actualBytes: 2 }),
      { message: "CodeModeError: too large.", code: "snapshot_limit_exceeded", phase: "host" },
    ],
    [
      "a bug",
      new TypeError("x is undefined"),
      { message: "TypeError: x is undefined", code: "internal_error", phase: "host" },
    ],
  ];

  test.each(faults)("%s", async (_name, error, failure) => {
    const engine = fakeEngine([
      () => {
        throw error;
      },
      () => completed,
    ]);
    const reports = await play(engine, [start(1), start(2)]);
    expect(reports.slice(1)).toEqual([step(1, 1, failed(failure)), step(2, 1, completed)]);
    expect(engine.live.size).toBe(0);
  });

  test("so is a step of a cell that is not there", async () => {
    const reports = await play(fakeEngine([]), [{ type: "park", cell: 1, step: 2, maxBytes: 1000, remainingMs: 1000 }]);
    const failure = { message: "Error: There is no cell to park.", code: "internal_error", phase: "host" };
    expect(reports.slice(1)).toEqual([step(1, 2, failed(failure))]);
  });

  test("an engine that cannot be loaded rejects before the worker is ready", async () => {
    const engine = fakeEngine([], { load: () => Promise.reject(new Error("no engine")) });
    const { port1, port2 } = new MessageChannel();
    ports.push(port1, port2);
    await expect(serve(taskOf(port2), engine)).rejects.toThrow("no engine");
  });
});
