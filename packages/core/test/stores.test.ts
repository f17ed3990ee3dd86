import { expect, test } from "vitest";
import type { CodeModeResult, ParkedCell, SnapshotStore } from "@codemode/protocol";
import { settled } from "./fakes/fake-clock.js";
import { createTestHost, deferred, tool, type TestHost } from "./fakes/test-host.js";

const down = (): Promise<never> => Promise.reject(new Error("store down"));
const hang = (): Promise<never> => new Promise(() => {});

/** A host whose cells yield once; `store` replaces methods of its store. */
function storeHost(store: (memory: SnapshotStore) => Partial<SnapshotStore>, config = {}): TestHost {
  return createTestHost({
    store,
    config: { timeoutMs: 1_000, ...config },
    programs: {
      main: async (guest) => {
        await guest.call("echo");
        await guest.yieldControl();
        return guest.call("echo");
      },
    },
    run: { tools: [tool("echo", () => "done")] },
  });
}

async function park({ run }: TestHost): Promise<string> {
  return ((await run.exec({ code: "main" })) as { runId: string }).runId;
}

function withoutTelemetry({ telemetry: _, replaySafe: __, ...rest }: CodeModeResult): object {
  return rest;
}

const ledger = [{ name: "echo", status: "completed" }];
const timedOut = {
  status: "failed",
  error: "code mode deadline passed while waiting for the snapshot store",
  code: "timeout",
  failurePhase: "host",
};
const cancelled = {
  status: "failed",
  error: "code mode cell was aborted: the call was cancelled",
  code: "aborted",
  failurePhase: "host",
};
const broken = { status: "failed", error: "Error: store down", code: "internal_error", failurePhase: "host" };
const types = ({ events }: TestHost): string[] => events.map(({ type }) => type).filter((type) => /^cell/.test(type));

test("WAIT-11: a store that cannot drop does not lose the result; the host is told", async () => {
  const made = storeHost(() => ({ drop: down }));
  const runId = await park(made);
  expect(await made.run.wait({ runId })).toMatchObject({ status: "completed", value: "done" });
  expect(made.faults).toEqual([new Error("store down")]);
  await park(made);
  await made.run.close();
  expect(made.faults).toEqual([new Error("store down"), new Error("store down")]);
});

test("WAIT-11: a store that does not answer a drop holds the result back for the grace only", async () => {
  const made = storeHost(() => ({ drop: hang }));
  const runId = await park(made);
  const wait = made.run.wait({ runId });
  await made.clock.advance(500);
  expect(await wait).toMatchObject({ status: "completed", value: "done" });
  expect(made.faults).toEqual([new Error(`The snapshot store has not dropped ${runId} within 500 ms.`)]);
  expect(made.clock.armed()).toBe(0);
});

test.each([
  ["park", "exec"],
  ["read", "wait"],
] as const)("a store whose %s rejects fails the %s with the ledger", async (method, call) => {
  const made = storeHost(() => ({ [method]: down }));
  const exec = await made.run.exec({ code: "main" });
  const result = call === "exec" ? exec : await made.run.wait({ runId: (exec as { runId: string }).runId });
  expect(withoutTelemetry(result)).toEqual({ ...broken, calls: ledger });
  expect(made.executor.counts.closed).toBe(made.executor.counts.opened);
});

test("a store whose acquire rejects fails the wait and leaves the run parked", async () => {
  let isDown = true;
  const made = storeHost((memory) => ({ acquire: (...asked) => (isDown ? down() : memory.acquire(...asked)) }));
  const runId = await park(made);
  expect(withoutTelemetry(await made.run.wait({ runId }))).toEqual(broken);
  isDown = false;
  expect(await made.run.wait({ runId })).toMatchObject({ status: "completed" });
});

test("a lease that comes after the deadline is given back", async () => {
  const gate = deferred<undefined>();
  const made = storeHost((memory) => ({
    acquire: async (...asked) => {
      await gate.promise;
      return memory.acquire(...asked);
    },
  }));
  const runId = await park(made);
  const wait = made.run.wait({ runId });
  await made.clock.advance(1_000);
  expect(withoutTelemetry(await wait)).toEqual(timedOut);
  gate.resolve(undefined);
  await settled();
  expect(await made.run.wait({ runId })).toMatchObject({ status: "completed", value: "done" });
});

test("OWN-01: a wait that is cancelled before it has its lease ends the run", async () => {
  const gate = deferred<undefined>();
  const made = storeHost((memory) => ({
    acquire: async (...asked) => {
      await gate.promise;
      return memory.acquire(...asked);
    },
  }));
  const runId = await park(made);
  const controller = new AbortController();
  const wait = made.run.wait({ runId }, { signal: controller.signal });
  await settled();
  controller.abort();
  expect(withoutTelemetry(await wait)).toEqual(cancelled);
  gate.resolve(undefined);
  await settled();
  expect(types(made)).toEqual(["cell-start", "cell-park", "cell-end"]);
  expect(made.clock.armed()).toBe(0);
});

test.each([
  ["deadline", timedOut],
  ["abort", cancelled],
] as const)("a park that hangs ends with the %s, and a late one is dropped", async (end, expected) => {
  const gate = deferred<undefined>();
  let memory: SnapshotStore | undefined;
  const made = storeHost((store) => {
    memory = store;
    return {
      park: async (...asked) => {
        await gate.promise;
        return store.park(...asked);
      },
    };
  });
  const controller = new AbortController();
  const exec = made.run.exec({ code: "main" }, { signal: controller.signal });
  await settled();
  if (end === "abort") controller.abort();
  else await made.clock.advance(1_500);
  expect(withoutTelemetry(await exec)).toEqual({ ...expected, calls: ledger });
  gate.resolve(undefined);
  await settled();
  expect(await memory?.list("session-1")).toEqual([]);
  expect(types(made)).toEqual(["cell-start", "cell-end"]);
  expect([made.clock.armed(), made.faults]).toEqual([0, []]);
});

test("OWN-03: a run closed while the store parks or reads is not told of as parked or resumed", async () => {
  for (const method of ["park", "read"] as const) {
    const asked = deferred<undefined>();
    const gate = deferred<undefined>();
    const made = storeHost((memory) => ({
      [method]: async (...given: never[]) => {
        asked.resolve(undefined);
        await gate.promise;
        return (memory[method] as (...all: never[]) => unknown)(...given);
      },
    }));
    const ended = made.run
      .exec({ code: "main" })
      .then((result) => (result.status === "waiting" ? made.run.wait({ runId: result.runId }) : result));
    await asked.promise;
    const closing = made.run.close("it is over");
    gate.resolve(undefined);
    await closing;
    expect(await ended).toMatchObject({ error: "code mode cell was aborted: it is over", code: "aborted" });
    expect(types(made).at(-1)).toBe("cell-end");
    expect(types(made)).not.toContain("cell-resume");
  }
});

test("WAIT-10: a wait renews the life of the run it leaves parked, from its end on", async () => {
  const gate = deferred<string>();
  const made = createTestHost({
    config: { timeoutMs: 4_000, snapshotTtlSeconds: 2 },
    programs: { main: (guest) => guest.call("slow") },
    run: { tools: [tool("slow", () => gate.promise)] },
  });
  const exec = made.run.exec({ code: "main" });
  await made.clock.advance(3_750);
  const { runId } = (await exec) as { runId: string };
  const wait = made.run.wait({ runId });
  await made.clock.advance(3_750);
  expect(await wait).toMatchObject({ status: "waiting", runId });
  await made.clock.advance(1_999);
  gate.resolve("late");
  expect(await made.run.wait({ runId })).toMatchObject({ status: "completed", value: "late" });
});

test("WAIT-10: a run the store lost while a wait blocked fails with its ledger", async () => {
  let isLost = false;
  const made = createTestHost({
    store: (memory) => ({ read: async (lease) => (isLost ? undefined : memory.read(lease)) }),
    config: { timeoutMs: 1_000 },
    programs: { main: (guest) => guest.call("slow") },
    run: { tools: [tool("slow", () => deferred().promise)] },
  });
  const exec = made.run.exec({ code: "main" });
  await made.clock.advance(750);
  const { runId } = (await exec) as { runId: string };
  isLost = true;
  const wait = made.run.wait({ runId });
  await made.clock.advance(750);
  expect(withoutTelemetry(await wait)).toEqual({
    status: "failed",
    error: "code mode run is unavailable or expired.",
    code: "invalid_input",
    failurePhase: "host",
    calls: [{ name: "slow", status: "unknown" }],
  });
});

test("WAIT-13: a run is not resumed from another run's cell, nor from an older state of its own", async () => {
  for (const wrong of ["another run's", "an older"] as const) {
    let swap = false;
    const stored = new Map<string, ParkedCell[]>();
    const made = createTestHost({
      store: (memory) => ({
        park: (record, lease) => {
          stored.set(record.runId, [...(stored.get(record.runId) ?? []), record.parked]);
          return memory.park(record, lease);
        },
        read: async (lease) => {
          const others = [...stored].flatMap(([runId, cells]) => (runId === lease.runId ? [] : cells));
          const older = stored.get(lease.runId)?.[0];
          return swap ? (wrong === "an older" ? older : others[0]) : memory.read(lease);
        },
      }),
      config: { timeoutMs: 1_000 },
      programs: {
        main: async (guest) => {
          await guest.yieldControl();
          await guest.call("echo");
          await guest.yieldControl();
          return guest.call("echo");
        },
      },
      run: { tools: [tool("echo", () => "done")] },
    });
    const runId = await park(made);
    await park(made);
    expect(await made.run.wait({ runId })).toMatchObject({ status: "waiting" });
    swap = true;
    expect(withoutTelemetry(await made.run.wait({ runId }))).toEqual({
      status: "failed",
      error: "CodeModeError: The parked cell cannot be restored: the store gave another cell than it was given.",
      code: "runtime_unavailable",
      failurePhase: "host",
      calls: ledger,
    });
    expect(made.executor.counts.resumed).toBe(1);
  }
});
