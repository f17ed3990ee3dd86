import { expect, test } from "vitest";
import { projectTrajectory } from "./project-trajectory.js";
import { MAX_TRAJECTORY_RECORDS, createTrajectory } from "./trajectory.js";

const call = (id: string) => ({ id, toolName: "read", callableName: "read", source: "host" });

function trajectoryOf() {
  let now = 1_000;
  return { trajectory: createTrajectory({ now: () => now }), advance: (ms: number) => (now += ms) };
}

test("calls are recorded in dispatch order with times since the start", () => {
  const { trajectory, advance } = trajectoryOf();
  advance(5);
  trajectory.start({ ...call("a"), parentId: "outer" });
  trajectory.start(call("b"));
  advance(7);
  trajectory.settle("b", "failed", "Error: no");
  trajectory.settle("b", "completed");
  expect(trajectory.list()).toEqual([
    { ...call("a"), parentId: "outer", status: "running", startedAtMs: 5 },
    { ...call("b"), status: "failed", startedAtMs: 5, durationMs: 7, error: "Error: no" },
  ]);
});

test("the oldest records go when there are too many, and their late ends change nothing", () => {
  const { trajectory } = trajectoryOf();
  for (let index = 0; index <= MAX_TRAJECTORY_RECORDS; index++) trajectory.start(call(String(index)));
  trajectory.settle("0", "completed");
  const records = trajectory.list();
  expect([records.length, records[0]?.id]).toEqual([MAX_TRAJECTORY_RECORDS, "1"]);
});

test("a projection keeps the latest records and bounds their error texts", () => {
  const record = (id: string, error?: string) => ({
    ...call(id),
    status: "failed" as const,
    startedAtMs: 0,
    ...(error === undefined ? {} : { error }),
  });
  const records = [record("a", "gone"), record("b", "0123456789"), record("c"), record("d", "xyz")];
  expect(projectTrajectory(records, { maxRecords: 3, maxChars: 8 })).toEqual([
    record("b", "0123…"),
    record("c"),
    record("d", "xyz"),
  ]);
  expect(projectTrajectory(records, { maxRecords: 0, maxChars: 8 })).toEqual([]);
});
