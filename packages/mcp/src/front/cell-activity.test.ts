import type { NestedCall } from "@codemode/core";
import { expect, test } from "vitest";
import { createCellActivity } from "./cell-activity.js";

function nested(id: string, parentId: string): NestedCall {
  const name = `MCP.files.${id}`;
  return {
    id,
    parentId,
    toolId: id,
    toolName: id,
    callableName: name,
    source: "mcp",
    input: {},
    scope: { agentRunId: "r" },
  };
}

test("E2E-03: a cell's calls are counted, and at most three are named", () => {
  const activity = createCellActivity();
  const told: string[] = [];
  activity.begin("exec-1", { listener: (message) => told.push(message) });
  const settle = ["a", "b", "c", "d"].map((id) => activity.nested(nested(id, "exec-1")));
  settle.forEach((settled) => settled());
  expect([told[0], told[1], told[4], told[5], told[8]]).toEqual([
    "running",
    "0 calls done, 1 under way: MCP.files.a",
    "0 calls done, 4 under way: MCP.files.a, MCP.files.b, MCP.files.c, …",
    "1 call done, 3 under way: MCP.files.b, MCP.files.c, MCP.files.d",
    "4 calls done",
  ]);
});

test("E2E-03: a wait goes on with the counts of the cell it continues, and hears no other cell", () => {
  const activity = createCellActivity();
  const first = activity.begin("exec-1", {});
  const settleLate = activity.nested(nested("late", "exec-1"));
  first.end("cm_1");
  const told: string[] = [];
  activity.begin("wait-1", { runId: "cm_1", listener: (message) => told.push(message) });
  activity.begin("exec-2", {});
  activity.nested(nested("other", "exec-2"))();
  activity.nested(nested("gone", "exec-0"))();
  settleLate();
  expect(told).toEqual(["0 calls done, 1 under way: MCP.files.late", "1 call done"]);
});

test("MCP-14, E2E-03: what a server says of its progress stands beside its call, until that ends", () => {
  const activity = createCellActivity();
  const told: string[] = [];
  const first = activity.begin("exec-1", { listener: (message) => told.push(message) });
  const settle = ["search", "other"].map((id) => activity.nested(nested(id, "exec-1")))[0];
  const search = nested("search", "exec-1");
  first.update({ call: search, partial: { type: "progress", progress: 40, total: 100, message: "scanning" } });
  first.update({ call: search, partial: "half a result" });
  first.update({ call: nested("gone", "exec-1"), partial: { type: "progress", progress: 1 } });
  first.end("cm_1");
  activity.begin("wait-1", { runId: "cm_1", listener: (message) => told.push(message) });
  settle?.();
  expect(told.slice(3)).toEqual([
    "0 calls done, 2 under way: MCP.files.search (40 of 100, scanning), MCP.files.other",
    "0 calls done, 2 under way: MCP.files.search (40 of 100, scanning), MCP.files.other",
    "1 call done, 1 under way: MCP.files.other",
  ]);
});
