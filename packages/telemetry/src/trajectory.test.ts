import type { NestedCallRecord } from "@codemode/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { projectTrajectory } from "./project-trajectory.js";
import { createTrajectory, MAX_TRAJECTORY_RECORDS } from "./trajectory.js";

fc.configureGlobal({ seed: 6 });

function call(id: string, fields: Partial<NestedCallRecord> = {}) {
  return { id, toolName: "read_file", callableName: "MCP.files.readFile", source: "mcp", ...fields };
}

function createTimed() {
  let now = 5_000;
  const trajectory = createTrajectory({ now: () => now });
  return { trajectory, pass: (ms: number) => void (now += ms) };
}

describe("SEC-04: trajectory", () => {
  test("calls are listed in dispatch order with status and times since the run was opened", () => {
    const { trajectory, pass } = createTimed();
    pass(10);
    trajectory.start(call("1", { parentId: "exec-1" }));
    pass(0.25);
    trajectory.start(call("2"));
    trajectory.start(call("3"));
    pass(5);
    trajectory.settle("2", "failed", "Error: no such file");
    pass(1);
    trajectory.settle("1", "completed");
    expect(trajectory.list()).toEqual([
      { ...call("1", { parentId: "exec-1" }), status: "completed", startedAtMs: 10, durationMs: 6.25 },
      { ...call("2"), status: "failed", startedAtMs: 10.25, durationMs: 5, error: "Error: no such file" },
      { ...call("3"), status: "running", startedAtMs: 10.25 },
    ]);
  });

  test("a call settles once; one that is not kept is left alone", () => {
    const { trajectory, pass } = createTimed();
    trajectory.start(call("1"));
    trajectory.settle("1", "unknown");
    pass(9);
    trajectory.settle("1", "completed");
    trajectory.settle("2", "completed");
    expect(trajectory.list()).toEqual([{ ...call("1"), status: "unknown", startedAtMs: 0, durationMs: 0 }]);
  });

  test("names and errors are bounded", () => {
    const { trajectory } = createTimed();
    const long = "n".repeat(1_000_000);
    trajectory.start({ id: "1", toolName: long, callableName: long, source: long });
    trajectory.settle("1", "failed", `${"e".repeat(998)}😀${long}`);
    const name = `${"n".repeat(199)}…`;
    const names = { toolName: name, callableName: name, source: name };
    const error = `${"e".repeat(998)}…`;
    expect(trajectory.list()).toEqual([{ id: "1", ...names, status: "failed", startedAtMs: 0, durationMs: 0, error }]);
  });

  test("the oldest records go when there are too many, and their late ends change nothing", () => {
    const { trajectory } = createTimed();
    for (let index = 0; index <= MAX_TRAJECTORY_RECORDS; index++) trajectory.start(call(`${index}`));
    trajectory.settle("0", "completed");
    const ids = trajectory.list().map(({ id }) => id);
    expect([ids.length, ids[0]]).toEqual([MAX_TRAJECTORY_RECORDS, "1"]);
  });

  test("nothing but the known fields of a call is taken over", () => {
    const { trajectory } = createTimed();
    const nested = { ...call("1"), input: { password: "secret" }, toolId: "host:read_file", hostContext: "token" };
    trajectory.start(nested);
    expect(trajectory.list()).toEqual([{ ...call("1"), status: "running", startedAtMs: 0 }]);
  });
});

describe("SEC-04: projection", () => {
  const records = Array.from({ length: 5 }, (_item, index): NestedCallRecord => {
    return { ...call(`${index}`), status: "failed", startedAtMs: index, durationMs: 1, error: "e".repeat(300) };
  });

  test("what fits is given as it is", () => {
    expect(projectTrajectory(records, { maxRecords: 5, maxChars: 10_000 })).toEqual(records);
    expect(projectTrajectory([], { maxRecords: 5, maxChars: 2 })).toEqual([]);
  });

  test("the newest records are kept, with shorter errors where needed", () => {
    expect(projectTrajectory(records, { maxRecords: 2, maxChars: 10_000 })).toEqual(records.slice(3));
    const size = JSON.stringify(records[0]).length;
    const short = { ...records[3], error: `${"e".repeat(99)}…` };
    expect(projectTrajectory(records, { maxRecords: 5, maxChars: size + 300 })).toEqual([short, records[4]]);
  });

  test("any projection is inside its bounds and has no gaps", () => {
    fc.assert(
      fc.property(fc.nat(8), fc.nat(2_500), (maxRecords, maxChars) => {
        const projection = projectTrajectory(records, { maxRecords, maxChars });
        expect(projection.length).toBeLessThanOrEqual(maxRecords);
        if (projection.length > 0) expect(JSON.stringify(projection).length).toBeLessThanOrEqual(maxChars);
        expect(projection.map(({ id }) => id)).toEqual(
          records.slice(records.length - projection.length).map(({ id }) => id),
        );
      }),
    );
  });
});
