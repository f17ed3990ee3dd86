import { afterAll, expect, test } from "vitest";
import type { CodeModeResult, ParkedCell, SnapshotStore, VmSnapshot } from "@codemode/protocol";
import { createMemorySnapshotStore } from "@codemode/snapshot-store";
import { createCodeMode } from "../src/create-code-mode.js";
import { deferred, tool } from "./fakes/test-host.js";

type Damage = (snapshot: VmSnapshot) => VmSnapshot;

/** Hands out what was parked as `damage` leaves it. One worker, one suspended cell a session. */
const memory = createMemorySnapshotStore({ maxPerSession: 1 });
let damage: Damage | undefined;
const snapshotStore: SnapshotStore = {
  ...memory,
  async read(lease) {
    const parked = await memory.read(lease);
    if (parked === undefined || damage === undefined) return parked;
    return { ...parked, snapshot: damage(parked.snapshot) } satisfies ParkedCell;
  },
};
const host = createCodeMode({ snapshotStore, workers: { max: 1 } });
afterAll(async () => {
  await host.close();
  await memory.close();
});
const scope = { agentRunId: "agent-1", sessionId: "session-1" };

function withByte(bytes: Uint8Array, at: number): Uint8Array {
  const changed = bytes.slice();
  changed[at] = (changed[at] ?? 0) ^ 0xff;
  return changed;
}

function plain({ telemetry: _, replaySafe: __, ...rest }: CodeModeResult): object {
  return rest;
}

const DAMAGES: readonly (readonly [name: string, damage: Damage, reason: string])[] = [
  ["of another engine build", (snapshot) => ({ ...snapshot, engine: "another" }), "another engine build"],
  ["of another format", (snapshot) => ({ ...snapshot, formatVersion: 99 }), "format version 99"],
  ["of another image", (snapshot) => ({ ...snapshot, imageId: "another" }), "another catalog's image"],
  ["cut short", (snapshot) => ({ ...snapshot, memory: snapshot.memory.slice(0, 1_000) }), "damaged memory"],
  ["empty", (snapshot) => ({ ...snapshot, memory: new Uint8Array() }), "damaged memory"],
  ["with other sizes", (snapshot) => ({ ...snapshot, memory: withByte(snapshot.memory, 1) }), "damaged memory"],
  ["with other pointers", (snapshot) => ({ ...snapshot, contextPtr: snapshot.contextPtr + 8 }), "damaged memory"],
];

test.each(DAMAGES)(
  "WAIT-13: a snapshot %s fails the wait, and slot, calls and worker are free again",
  async (_name, damaged, reason) => {
    const signals: AbortSignal[] = [];
    const never = tool("never", (_input, { signal }) => {
      signals.push(signal);
      return deferred().promise;
    });
    await using run = host.openRun({ scope, tools: [never] });
    const code = "await Promise.all([never({}), yield_control()]);";
    const { runId } = (await run.exec({ code })) as { runId: string };
    damage = damaged;
    const result = await run.wait({ runId });
    damage = undefined;
    expect(plain(result)).toEqual({
      status: "failed",
      error: `CodeModeError: The parked cell cannot be restored: ${reason}.`,
      code: "runtime_unavailable",
      failurePhase: "host",
      calls: [{ name: "never", status: "unknown" }],
    });
    expect([signals[0]?.aborted, await memory.list("session-1")]).toEqual([true, []]);
    expect(await run.wait({ runId })).toMatchObject({ error: "code mode run is unavailable or expired." });
    const next = (await run.exec({ code: "await yield_control(); return 1" })) as { runId: string };
    expect(await run.wait({ runId: next.runId })).toMatchObject({ status: "completed", value: 1 });
  },
);

test("WAIT-07, WAIT-15: a cell too large to park frees slot, calls and worker", async () => {
  const signals: AbortSignal[] = [];
  const never = tool("never", (_input, { signal }) => {
    signals.push(signal);
    return deferred().promise;
  });
  await using run = host.openRun({ scope, tools: [never] });
  const code =
    "const kept = Array.from({ length: 12_000_000 / 8 }, (_, n) => n + 0.5); await Promise.all([never({}), yield_control()]); return kept.length;";
  const result = await run.exec({ code });
  expect(result).toMatchObject({
    status: "failed",
    error: expect.stringMatching(/holds \d+ bytes and may park at most 10485760/) as string,
    code: "snapshot_limit_exceeded",
    failurePhase: "host",
    calls: [{ name: "never", status: "unknown" }],
  });
  expect([signals[0]?.aborted, await memory.list("session-1")]).toEqual([true, []]);
  const next = (await run.exec({ code: "await yield_control(); return 1" })) as { runId: string };
  expect(await run.wait({ runId: next.runId })).toMatchObject({ status: "completed", value: 1 });
});
