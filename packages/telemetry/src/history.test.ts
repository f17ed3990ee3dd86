import type { NestedCallRecord } from "@codemode/protocol";
import { expect, test } from "vitest";
import { buildHistory, replayedCalls, type ModelCall } from "./history.js";

function child(id: string, fields: Partial<NestedCallRecord> = {}): NestedCallRecord {
  const names = { toolName: "read", callableName: "read", source: "host" };
  return { id, ...names, status: "completed", startedAtMs: 1, durationMs: 2, ...fields };
}

const CALLS: readonly ModelCall[] = [
  { id: "m-1", name: "exec", input: { code: 'const token = "plum"; return await read({})', title: "for hunter2" } },
  { id: "m-2", name: "wait", input: { runId: "cm_1" } },
  { id: "m-3", name: "camera", input: { zoom: 2 } },
];

const RECORDS = [
  child("c-1", { parentId: "m-1" }),
  child("c-2", { parentId: "m-2", status: "failed", error: "Error: no hunter2 for token=abc" }),
  child("c-3", { parentId: "m-1" }),
  child("c-4", { parentId: "m-2", status: "running" }),
  child("c-5", { parentId: "gone", status: "unknown" }),
  child("c-6"),
];

const OPTIONS = { redaction: { secrets: ["hunter2"] } };

test("HIST-02: each model call is followed by the nested calls it dispatched, redacted, in order", () => {
  expect(buildHistory(CALLS, RECORDS, OPTIONS)).toEqual([
    {
      type: "model_call",
      id: "m-1",
      name: "exec",
      input: { code: 'const token = "***"; return await read({})', title: "for ***" },
    },
    { type: "child_activity", ...RECORDS[0] },
    { type: "child_activity", ...RECORDS[2] },
    { type: "model_call", ...CALLS[1] },
    { type: "child_activity", ...RECORDS[1], error: "Error: no *** for token=***" },
    { type: "model_call", ...CALLS[2] },
    { type: "child_activity", ...RECORDS[4] },
    { type: "child_activity", ...RECORDS[5] },
  ]);
});

test("HIST-02: a call that still runs appears under its parent once it has ended", () => {
  const running = [child("c-1", { parentId: "m-1", status: "running" })];
  const [exec, ...others] = buildHistory(CALLS, running);
  expect(others.map(({ type }) => type)).toEqual(["model_call", "model_call"]);
  const later = buildHistory(CALLS, [child("c-1", { parentId: "m-1" })]);
  expect(later.slice(0, 2)).toEqual([exec, { type: "child_activity", ...child("c-1", { parentId: "m-1" }) }]);
});

test("HIST-02: the newest activity is kept within its bounds; calls of the model are all kept", () => {
  const many = Array.from({ length: 2_000 }, (_item, index) => child(`c-${index}`, { parentId: "m-1" }));
  const history = buildHistory(CALLS, many);
  expect(history).toHaveLength(1_003);
  expect(history[1]).toMatchObject({ id: "c-1000" });
  expect(buildHistory(CALLS, many, { maxRecords: 0 }).map(({ id }) => id)).toEqual(["m-1", "m-2", "m-3"]);
  expect(JSON.stringify(buildHistory([], many, { maxChars: 500 })).length).toBeLessThan(700);
});

test("HIST-02, HIST-03: ids stay when a history is stored and read again, and replay is the model's calls alone", () => {
  const history = buildHistory(CALLS, RECORDS, OPTIONS);
  const reloaded = JSON.parse(JSON.stringify(history)) as typeof history;
  expect(reloaded).toEqual(history);
  expect(replayedCalls(reloaded)).toEqual([
    { ...CALLS[0], input: { code: 'const token = "***"; return await read({})', title: "for ***" } },
    CALLS[1],
    CALLS[2],
  ]);
});

test("HIST-01: an exec input of any shape is kept without harm", () => {
  const inputs: unknown[] = [undefined, null, "code", { command: 'f("hunter2")', language: 7, restartSafe: true }];
  const history = buildHistory(
    inputs.map((input, index) => ({ id: `${index}`, name: "exec", input })),
    [],
    OPTIONS,
  );
  expect(replayedCalls(history).map(({ input }) => input)).toEqual([
    undefined,
    null,
    "code",
    { command: 'f("***")', language: 7, restartSafe: true },
  ]);
});
