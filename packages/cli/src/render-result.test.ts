import { expect, test } from "vitest";
import type { CodeModeResult, NestedCallRecord } from "@codemode/protocol";
import { telemetry } from "../test/fake-program.js";
import { renderOutput, renderReport } from "./render-result.js";
import { colorsFor } from "./terminal-text.js";

const colors = colorsFor({ write: () => {} }, {});
const completed = (value: unknown, rest: object = {}): CodeModeResult => ({
  status: "completed",
  value,
  telemetry,
  ...rest,
});

test.each([
  [completed({ a: [1] }), '{\n  "a": [\n    1\n  ]\n}\n'],
  [completed("plain text"), "plain text\n"],
  [completed(null), "null\n"],
  [completed(null, { output: [{ type: "text", text: "said" }] }), "said\n"],
  [
    completed(7, {
      output: [
        { type: "text", text: "said" },
        { type: "json", value: { b: 2 } },
      ],
    }),
    'said\n{\n  "b": 2\n}\n7\n',
  ],
  [
    {
      status: "failed",
      error: "Error: x",
      failurePhase: "guest",
      output: [{ type: "text", text: "before" }],
      telemetry,
    },
    "before\n",
  ],
  [{ status: "waiting", runId: "cm_1", reason: "yield", telemetry }, ""],
] as [CodeModeResult, string][])("the output of %j", (result, text) => {
  expect(renderOutput(result)).toBe(text);
});

const calls: NestedCallRecord[] = [
  {
    id: "1",
    toolName: "a",
    callableName: "lookup",
    source: "host",
    status: "completed",
    startedAtMs: 1.26,
    durationMs: 12.4,
  },
  {
    id: "2",
    toolName: "b",
    callableName: "MCP.files.readTextFile",
    source: "mcp",
    status: "failed",
    startedAtMs: 20,
    durationMs: 1_234,
    error: "Error: no\n\u001bsuch file",
  },
  { id: "3", toolName: "c", callableName: "slow", source: "host", status: "running", startedAtMs: 30 },
];

test("the report lists calls with their times, warnings and the end", () => {
  const result = completed(1, {
    warnings: ["a timer was cancelled"],
    telemetry: { ...telemetry, waitCount: 2, timing: { guestMs: 1.25, toolsMs: 1_500, peopleMs: 0 } },
  });
  expect(renderReport({ result, calls, elapsedMs: 1_600, colors })).toBe(
    [
      "completed lookup                  12 ms, started at 1.3 ms",
      "failed    MCP.files.readTextFile  1.2 s, started at 20 ms  Error: no \\x1bsuch file",
      "running   slow                    started at 30 ms",
      "warning a timer was cancelled",
      "completed in 1.6 s: 1.3 ms in the cell, 1.5 s waiting for tools, continued 2 times by wait",
      "",
    ].join("\n"),
  );
});

test.each([
  [
    {
      status: "failed",
      error: "TypeError: x is not a function",
      failurePhase: "guest",
      location: { line: 3, column: 5 },
      telemetry,
    },
    "failed at line 3, column 5: TypeError: x is not a function\n",
  ],
  [
    { status: "failed", error: "Error: late", code: "timeout", failurePhase: "guest", telemetry },
    "failed (timeout): Error: late\n",
  ],
  [
    {
      status: "waiting",
      runId: "cm_1",
      reason: "pending_tools",
      pendingToolCalls: [
        { id: "1", name: "slow" },
        { id: "2", name: "slower" },
      ],
      telemetry,
    },
    "still waiting after 2.0 s for slow, slower\n",
  ],
  [completed(1), "completed in 2.0 s\n"],
] as [CodeModeResult, string][])("the end of %j", (result, text) => {
  expect(renderReport({ result, calls: [], elapsedMs: 2_000, colors })).toBe(text);
});
