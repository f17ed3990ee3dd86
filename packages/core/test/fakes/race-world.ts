import { getEventListeners } from "node:events";
import type { CodeModeResult, SnapshotStore } from "@codemode/protocol";
import type { FakeGuest, FakeProgram } from "./fake-guest.js";
import type { Random } from "./random.js";
import { createTestHost, deferred, tool, type Deferred, type TestHost } from "./test-host.js";

export const TTL_MS = 60_000;
/** Of one call, in ms; the margin is reached after three quarters. */
export const TIMEOUT_MS = 1_000;
const PARKING_BYTES = 1_000;
const MAX_STORE_TURNS = 6;
/** No fault of ours: time may jump while the store is at work. */
const SLOW_DROP = /has not dropped/;

/** One exec or wait, and its end: a result, or what it threw. */
export interface RacedCall {
  readonly cell: number;
  readonly controller: AbortController;
  ended?: CodeModeResult | Error;
}

/** A host with up to two cells, all of whose delays the scheduler of a race owns. */
export interface RaceWorld {
  readonly host: TestHost;
  readonly calls: RacedCall[];
  /** What tools and people have yet to answer. */
  readonly open: Deferred<unknown>[];
  readonly released: { worker: Deferred<void>; close: Deferred<void> };
  exec(cell: number): void;
  /** Waits for the cell where it is parked. */
  wait(cell: number): void;
  /** What is wrong once everything is over. */
  problems(): Promise<string[]>;
}

/** Some turns of the event loop, none included. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** What cells do. `note` is told of each step a guest takes. */
const PROGRAMS: readonly ((guest: FakeGuest, note: (step: string) => void) => Promise<unknown>)[] = [
  async (guest, note) => {
    await Promise.all([guest.call("slow"), guest.call("obeys").catch(() => {})]);
    note("both");
    return guest.call("slow");
  },
  async (guest, note) => {
    const first = guest.call("slow");
    await guest.yieldControl();
    note("yielded");
    await first.catch(() => {});
    note("first");
    await guest.yieldControl();
    return guest.call("asked").catch(String);
  },
  async (guest, note) => {
    void guest.call("slow").catch(() => {});
    await guest.call("asked").catch(() => note("denied"));
    await new Promise<void>((resolve) => guest.setTimeout(resolve, 300));
    note("timer");
    return guest.call("sequential");
  },
  async (guest, note) => {
    guest.setTimeout(() => note("late"), 5_000);
    void guest.call("sequential").catch(() => {});
    note("returns");
    return "detached";
  },
];

export function createRaceWorld(random: Random): RaceWorld {
  const calls: RacedCall[] = [];
  const open: Deferred<unknown>[] = [];
  const released = { worker: deferred<void>(), close: deferred<void>() };
  const executed = new Map<string, AbortSignal>();
  const problems: string[] = [];
  const over = new Set<number>();
  let stored: () => Promise<readonly string[]> = async () => [];

  const answered = (): Promise<unknown> => {
    const answer = deferred();
    open.push(answer);
    return answer.promise;
  };
  const started = (id: string, signal: AbortSignal): void => {
    if (executed.has(id)) problems.push(`${id} ran twice`);
    if (signal.aborted) problems.push(`${id} ran after its abort`);
    executed.set(id, signal);
  };
  const slow = (name: string, more = {}) =>
    tool(name, (_input, { call, signal }) => (started(call.id, signal), answered()), more);
  const obeys = tool("obeys", (_input, { call, signal }) => {
    started(call.id, signal);
    const aborted = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    return Promise.race([answered(), aborted]);
  });

  const programOf = (cell: number): FakeProgram => {
    const program = random.pick(PROGRAMS);
    const note = (step: string): void => void (over.has(cell) && problems.push(`cell ${cell} went on: ${step}`));
    return (guest) => program(guest, note);
  };
  const slowly = (memory: SnapshotStore): Partial<SnapshotStore> => ({
    park: async (record, lease) => (await turns(random.below(MAX_STORE_TURNS)), memory.park(record, lease)),
    acquire: async (runId, scope) => (await turns(random.below(MAX_STORE_TURNS)), memory.acquire(runId, scope)),
    read: async (lease) => (await turns(random.below(MAX_STORE_TURNS)), memory.read(lease)),
    drop: async (runId) => (await turns(random.below(MAX_STORE_TURNS)), memory.drop(runId)),
  });
  const host = createTestHost({
    config: { timeoutMs: TIMEOUT_MS, snapshotTtlSeconds: TTL_MS / 1_000 },
    maxSuspended: 1 + random.below(2),
    maxParkingMemoryBytes: PARKING_BYTES,
    store(memory) {
      stored = () => memory.list("session-1");
      return slowly(memory);
    },
    programs: { cell0: programOf(0), cell1: programOf(1) },
    run: {
      tools: [slow("slow"), slow("asked"), slow("sequential", { executionMode: "sequential" }), obeys],
      approve: async ({ toolName }) => {
        if (toolName !== "asked") return "allow";
        return (await answered()) === null ? "allow" : { deny: "no" };
      },
    },
  });
  host.executor.parksAtOnce = random.below(4) === 0;
  if (random.below(3) === 0) host.executor.workerGate = released.worker.promise;
  if (random.below(3) === 0) host.executor.closeGate = released.close.promise;

  function track(cell: number, begin: (signal: AbortSignal) => Promise<CodeModeResult>): void {
    const call: RacedCall = { cell, controller: new AbortController() };
    calls.push(call);
    const end = (ended: CodeModeResult | Error): void => {
      if (call.ended !== undefined) problems.push("a call settled twice");
      call.ended = ended;
      if (isLast(ended)) over.add(cell);
    };
    begin(call.controller.signal).then(end, (error: unknown) => end(error as Error));
  }

  const runIdOf = (cell: number): string | undefined =>
    calls.flatMap(({ cell: of, ended }) =>
      of === cell && ended !== undefined && "status" in ended && ended.status === "waiting" ? [ended.runId] : [],
    )[0];

  return {
    host,
    calls,
    open,
    released,
    exec: (cell) => track(cell, (signal) => host.run.exec({ code: `cell${cell}` }, { signal })),
    wait(cell) {
      const runId = runIdOf(cell);
      if (runId !== undefined) track(cell, (signal) => host.run.wait({ runId }, { signal }));
    },
    async problems() {
      return [...problems, ...leftovers(host, calls, await stored()), ...miscounted(host, executed)];
    },
  };
}

/** Whether the cell is over with it: a wait may also be refused. */
function isLast(ended: CodeModeResult | Error): boolean {
  if (!("status" in ended) || ended.status === "waiting") return false;
  return ended.status === "completed" || ended.failurePhase !== "input";
}

/** What a race has left behind. */
function leftovers(
  { executor, clock, parkingMemory, faults }: TestHost,
  calls: readonly RacedCall[],
  stored: readonly string[],
): string[] {
  const space = parkingMemory.reserve(PARKING_BYTES);
  const free = space.bytes;
  space.free();
  const listeners = calls.flatMap(({ controller }) => getEventListeners(controller.signal, "abort"));
  const left: readonly (readonly [string, number])[] = [
    ["calls without an end", calls.filter(({ ended }) => ended === undefined).length],
    ["workers", executor.counts.opened - executor.counts.closed],
    ["timers", clock.armed()],
    ["parking memory", PARKING_BYTES / 2 - free],
    ["stored snapshots", stored.length],
    ["listeners of signals", listeners.length],
    ["faults", faults.filter((fault) => !SLOW_DROP.test(String(fault))).length],
  ];
  return left.flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what} left`]));
}

/** Each cell and each nested call starts and ends once, tools ran only for calls that were told, nothing after the end. */
function miscounted({ events, run }: TestHost, executed: ReadonlyMap<string, AbortSignal>): string[] {
  const problems: string[] = [];
  const ended = new Set<string>();
  const counts = new Map<string, number>();
  for (const event of events) {
    if (!("cellId" in event)) continue;
    if (ended.has(event.cellId) && event.type !== "call-end") problems.push(`${event.type} after the end of its cell`);
    if (event.type === "cell-end") ended.add(event.cellId);
    const key = `${event.type.replace(/-(start|end)$/, "")} ${"callId" in event ? event.callId : event.cellId}`;
    if (/-start$/.test(event.type)) counts.set(key, (counts.get(key) ?? 0) + 1);
    if (/-end$/.test(event.type)) counts.set(key, (counts.get(key) ?? 0) + 10);
  }
  for (const [key, count] of counts) if (count !== 11) problems.push(`${key}: starts and ends are ${count}`);
  for (const id of executed.keys()) if (!counts.has(`call ${id}`)) problems.push(`${id} ran unannounced`);
  for (const { id, status } of run.trajectory()) {
    if (!["completed", "failed", "unknown"].includes(status)) problems.push(`${id} is ${status} in the trajectory`);
    const signal = executed.get(id);
    if (status === "unknown" && signal !== undefined && !signal.aborted) problems.push(`${id} was not aborted`);
  }
  return problems;
}
