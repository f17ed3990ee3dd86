import { expect, test } from "vitest";
import type { NestedCall, ToolCallContext } from "@codemode/protocol";
import { createTestHost, tool } from "./fakes/test-host.js";

const SCOPE = { agentRunId: "agent-1", sessionId: "session-1", agentId: "research" };

/** A run in which everything that sees a call keeps what it was given. */
function watchedRun() {
  const steps: [string, NestedCall][] = [];
  const contexts: ToolCallContext[] = [];
  const updates: unknown[] = [];
  const hostContext = { sender: "kim", channel: "mail" };
  const act = (context: ToolCallContext): null => {
    contexts.push(context);
    steps.push(["execute", context.call]);
    context.onUpdate("half");
    return null;
  };
  const { run } = createTestHost({
    programs: {
      main: async (guest) => {
        await Promise.all([guest.call("act", { n: 1 }), guest.call("MCP.files.readFile", { n: 2 })]);
        return "done";
      },
    },
    run: {
      scope: SCOPE,
      hostContext,
      tools: [
        tool("act", (_input, context) => act(context)),
        tool("camera", (_input, context) => act(context), { directOnly: true }),
      ],
      mcp: [
        {
          name: "files",
          tools: [{ name: "read_file", inputSchema: { type: "object" } }],
          callTool: async (_name, _args, context) => ({ content: [], structuredContent: act(context) }),
        },
      ],
      hooks: {
        beforeToolCall: async (call) => void steps.push(["before", call]),
        afterToolCall: async (call) => void steps.push(["after", call]),
      },
      approve: async (call) => {
        steps.push(["approve", call]);
        return "allow";
      },
    },
  });
  const onUpdate = ({ call, partial }: { call: NestedCall; partial: unknown }): void =>
    void updates.push([call.callableName, partial]);
  return { run, hostContext, steps, contexts, updates, onUpdate };
}

test("CALL-01: hooks, approval and tool see the same call, with scope, host context, parent and an id of its own", async () => {
  const { run, hostContext, steps, contexts, updates, onUpdate } = watchedRun();
  await run.exec({ code: "main" }, { toolCallId: "model-1", onUpdate });
  const [outer, ...nested] = steps;
  expect(outer).toMatchObject(["before", { id: "model-1", toolName: "exec", scope: SCOPE, hostContext }]);
  for (const [callableName, call] of [
    ["act", { toolId: "host:act", toolName: "act", source: "host", input: { n: 1 } }],
    ["MCP.files.readFile", { toolName: "read_file", source: "mcp", input: { n: 2 } }],
  ] as const) {
    const seen = nested.filter(([, { callableName: name }]) => name === callableName);
    expect(seen.map(([step]) => step)).toEqual(["before", "approve", "execute", "after"]);
    const shared = { ...call, callableName, parentId: "model-1", scope: SCOPE, hostContext };
    for (const [, { id, ...rest }] of seen) {
      expect(rest).toMatchObject(shared);
      expect(id).toBe(seen[0]?.[1].id);
    }
  }
  expect(new Set(nested.map(([, { id }]) => id)).size).toBe(2);
  expect(contexts.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  expect(contexts.every(({ remainingMs }) => remainingMs === 10_000)).toBe(true);
  expect(updates).toEqual([
    ["act", "half"],
    ["MCP.files.readFile", "half"],
  ]);
});

test("CALL-01: a direct call goes the same way, without a parent", async () => {
  const { run, hostContext, steps, updates, onUpdate } = watchedRun();
  expect(await run.handleToolCall("camera", { n: 3 }, { toolCallId: "model-2", onUpdate })).toEqual({ details: null });
  expect(steps.map(([step]) => step)).toEqual(["before", "approve", "execute", "after"]);
  const call = {
    id: "model-2",
    toolId: "host:camera",
    toolName: "camera",
    callableName: "camera",
    source: "host",
    input: { n: 3 },
    scope: SCOPE,
    hostContext,
  };
  for (const [, seen] of steps) expect(seen).toEqual(call);
  expect(updates).toEqual([["camera", "half"]]);
});
