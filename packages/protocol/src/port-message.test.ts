import { describe, expect, test } from "vitest";
import { decodeCommand, encodeCommand, encodeReport, joinReport } from "./port-message.js";
import type { BridgeReply } from "./bridge.js";
import type { PreparedSource } from "./source.js";
import type { WorkerCommand, WorkerReport } from "./worker-messages.js";

const limits = { memoryLimitBytes: 1, maxOutputBytes: 1, maxSnapshotBytes: 1, maxSourceBytes: 1 };
const source: PreparedSource = { language: "javascript", submitted: 'a"\n\ud800', code: "b", insertions: [] };
const snapshot = {
  formatVersion: 1,
  engine: "e",
  memory: new Uint8Array([1, 2]),
  stackPointer: 1,
  runtimePtr: 1,
  contextPtr: 1,
  channelToken: 1,
  bytes: 2,
  checksum: 7,
};
const parked = { snapshot, source };
const replies: BridgeReply[] = [
  { id: 1, ok: true, value: '{"a":"\\ud800"}' },
  { id: 2, ok: false, error: { name: "Error", message: "no" } },
  { id: 3, ok: true, value: "1" },
];
const output = { items: [{ text: '"é"', bytes: 4, isComplete: true }], omittedItems: 0, omittedBytes: 0 };
const step = { cell: 1, step: 2 };

const commands: WorkerCommand[] = [
  { type: "surface", fingerprint: "f", text: "{}", forget: "g" },
  {
    type: "start",
    ...step,
    limits,
    remainingMs: 1.5,
    start: { type: "source", source: "\ud800", language: "javascript", surface: "f" },
  },
  {
    type: "start",
    ...step,
    limits,
    remainingMs: 1,
    start: { type: "parked", parked, surface: "f", replies, cancelled: [4] },
  },
  { type: "deliver", ...step, remainingMs: 1, delivery: { replies, cancelled: [5] } },
  { type: "deliver", ...step, remainingMs: 1, delivery: { replies: [] } },
  { type: "park", ...step, maxBytes: 9, remainingMs: 1 },
  { type: "end", cell: 1 },
  { type: "stop" },
];

const reports: WorkerReport[] = [
  { type: "ready" },
  { type: "ended", cell: 1 },
  {
    type: "step",
    ...step,
    result: {
      type: "boundary",
      requests: [
        { method: "call", id: 1, binding: 0, input: '{"a":1}' },
        { method: "search", id: 2, query: "q" },
        { method: "call", id: 3, binding: 1, input: "{}" },
      ],
      cancelled: [9],
      isSettled: false,
      output,
      guestMs: 0.5,
    },
  },
  {
    type: "step",
    ...step,
    result: {
      type: "boundary",
      requests: [{ method: "call", id: 1, binding: 0, input: "{}" }],
      cancelled: [],
      isSettled: false,
      parked,
      output,
      guestMs: 0,
    },
  },
  {
    type: "step",
    ...step,
    result: { type: "completed", value: { text: "1", bytes: 1, isComplete: true }, output, guestMs: 1 },
  },
  { type: "step", ...step, result: { type: "failed", failure: { message: "m", phase: "guest" }, output, guestMs: 1 } },
  { type: "step", ...step, result: { type: "parked", parked, output, guestMs: 1 } },
];

test.each(commands)("a command arrives as it was sent: %j", (command) => {
  expect(decodeCommand(structuredClone(encodeCommand(command)))).toEqual(command);
});

describe("SEC-03: reports", () => {
  test.each(reports)("arrive as they were sent: %j", (report) => {
    expect(joinReport(structuredClone(encodeReport(report)))).toEqual(report);
  });

  test("with a part too many, or none at all, are none", () => {
    for (const report of reports) expect(joinReport([...encodeReport(report), "more"])).toBeUndefined();
    const bare = [
      undefined,
      null,
      1,
      "{}",
      {},
      [],
      [1],
      ["{"],
      ["null"],
      ['{"type":"step"}'],
      ['{"type":"step","result":{}}'],
    ];
    for (const message of bare) expect(joinReport(message)).toBeUndefined();
  });

  test("that lack a part lack the field", () => {
    const [head] = encodeReport(reports[4] as WorkerReport);
    expect(joinReport([head])).toMatchObject({
      result: { value: { text: undefined }, output: { items: [{ text: undefined }] } },
    });
  });
});

test("what JSON cannot say is refused, not sent", () => {
  const command = { type: "deliver", ...step, remainingMs: 1n, delivery: { replies: [] } } as unknown as WorkerCommand;
  expect(() => encodeCommand(command)).toThrow(TypeError);
});
