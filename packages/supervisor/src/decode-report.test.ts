import { describe, expect, test } from "vitest";
import { encodeReport, type CellStep, type VmLimits, type WorkerReport } from "@codemode/protocol";
import { decodeOutcome, decodeReport, excessOf, oversizeOf } from "./decode-report.js";

const limits: VmLimits = { memoryLimitBytes: 100, maxOutputBytes: 50, maxSnapshotBytes: 64, maxSourceBytes: 10 };
const shared = { output: { items: [], omittedItems: 0, omittedBytes: 0 }, guestMs: 0 };
const MAX_CHARS = 180;

function text(length: number): { text: string; bytes: number; isComplete: boolean } {
  return { text: "x".repeat(length), bytes: length, isComplete: true };
}

describe("SEC-03: reports of a worker", () => {
  test.each([
    { type: "ready" },
    { type: "ended", cell: 1 },
    { type: "step", cell: 1, step: 1, result: { type: "completed", value: text(1), ...shared } },
  ])("of the declared shape pass: %j", (report) => {
    expect(decodeReport(encodeReport(report as WorkerReport))).toEqual(report);
  });

  test.each([
    undefined,
    null,
    "ready",
    [],
    { type: "steady" },
    { type: "ended", cell: 0 },
    { type: "ended", cell: 1.5 },
    { type: "step", cell: 1, step: 1 },
    { type: "step", cell: 1, step: 1, result: { type: "completed", value: "text", ...shared } },
    { type: "step", cell: 1, step: 1, result: { type: "failed", failure: { message: "m", phase: "moon" }, ...shared } },
    {
      type: "step",
      cell: 1,
      step: 1,
      result: { type: "failed", failure: { message: "m", code: "x", phase: "host" }, ...shared },
    },
  ])("of another shape do not: %j", (report) => {
    expect([decodeReport(report), decodeReport([JSON.stringify(report)])]).toEqual([undefined, undefined]);
  });

  test("answers of a compile task are checked too", () => {
    const refused = { type: "refused", message: "no", code: "invalid_input" };
    expect(decodeOutcome(refused)).toBe(refused);
    expect(decodeOutcome({ type: "prepared", prepared: { code: "1" } })).toBeUndefined();
  });
});

describe("SEC-03: sizes of a step", () => {
  const steps: [string, (length: number) => CellStep][] = [
    ["value", (length) => ({ type: "completed", value: text(length), ...shared })],
    ["failure", (length) => ({ type: "failed", failure: { message: "x".repeat(length), phase: "guest" }, ...shared })],
    [
      "output",
      (length) => ({
        type: "completed",
        value: text(0),
        output: { ...shared.output, items: [text(length - 16)] },
        guestMs: 0,
      }),
    ],
    ["call", (length) => boundary([{ method: "call", id: 1, binding: 0, input: "x".repeat(length - 16) }])],
    ["search", (length) => boundary([{ method: "search", id: 1, query: "x".repeat(length - 16) }])],
    ["yield", (length) => boundary([{ method: "yield", id: 1, reason: "x".repeat(length - 16) }])],
    ["source", (length) => parked(64, "x".repeat(length - 1))],
    ["source that parks at once", (length) => parkedAtOnce(64, "x".repeat(length - 1))],
  ];

  function parkedAtOnce(bytes: number, code: string): CellStep {
    const { parked: cell } = parked(bytes, code);
    return { ...boundary([]), parked: cell } as CellStep;
  }

  function boundary(requests: Extract<CellStep, { type: "boundary" }>["requests"]): CellStep {
    return { type: "boundary", requests, cancelled: [], isSettled: false, ...shared };
  }

  function parked(bytes: number, code: string): Extract<CellStep, { type: "parked" }> {
    const places = { stackPointer: 1, runtimePtr: 1, contextPtr: 1, channelToken: 1, checksum: 0 };
    const snapshot = { formatVersion: 1, engine: "e", memory: new Uint8Array(bytes), ...places, bytes };
    const source = { language: "javascript" as const, submitted: "", code, insertions: [] };
    return { type: "parked", parked: { snapshot, source }, ...shared };
  }

  test.each(steps)("the text of a %s is bounded", (_name, stepOf) => {
    expect(oversizeOf(stepOf(MAX_CHARS), limits)).toBeUndefined();
    expect(oversizeOf(stepOf(MAX_CHARS + 1), limits)).toBe("181 characters in one step, at most 180");
  });

  test("the numbers of requests and of cancelled timers are the guest's own fault", () => {
    const of = (count: number, cancelled: number): CellStep =>
      ({
        ...boundary(Array.from({ length: count }, (_, index) => ({ method: "describe", id: index + 1, binding: 0 }))),
        cancelled: Array.from({ length: cancelled }, () => 1),
      }) as CellStep;
    expect([excessOf(of(100_000, 100_000)), excessOf(parked(64, ""))]).toEqual([undefined, undefined]);
    for (const step of [of(100_001, 0), of(0, 100_001)]) {
      expect(excessOf(step)).toEqual({
        message: "RangeError: too many requests in one step: 100001, at most 100000.",
        code: "invalid_input",
        phase: "bridge",
      });
    }
  });

  test("so is a snapshot, by what it says and by what it holds", () => {
    expect(oversizeOf(parked(64, ""), limits)).toBeUndefined();
    expect(oversizeOf(parkedAtOnce(64, ""), limits)).toBeUndefined();
    for (const step of [parked(65, ""), parkedAtOnce(65, "")]) {
      expect(oversizeOf(step, limits)).toBe("a snapshot of 65 bytes, at most 64");
    }
  });
});
