import { afterEach, describe, expect, test } from "vitest";
import { createCodeMode } from "../src/index.js";
import { settled } from "./fakes/fake-clock.js";
import { activateContexts, createTracedWorld } from "./fakes/span-tree.js";
import { createTestHost, deferred, tool } from "./fakes/test-host.js";

let deactivate: (() => void) | undefined;
afterEach(() => {
  deactivate?.();
  deactivate = undefined;
});

const fail = tool("fail", () => {
  throw new RangeError("no hunter2");
});

test("TELE-04: parallel nested calls are siblings under the span of their cell, each with what it is", async () => {
  const world = createTracedWorld();
  const gates = [deferred(), deferred(), deferred()];
  const slow = tool("slow", ({ n }: { n: number }) => gates[n]?.promise);
  const { run } = createTestHost({
    tracer: world.tracer,
    programs: {
      main: async (guest) => {
        const slows = [0, 1, 2].map((n) => guest.call("slow", { n, secret: "hunter2" }));
        await guest.call("fail").catch(() => {});
        await Promise.all(slows);
        return guest.call("MCP.files.readFile");
      },
    },
    run: {
      scope: { agentRunId: "agent-1", sessionId: "session-1", agentId: "research" },
      tools: [slow, fail],
      mcp: [
        {
          name: "files",
          tools: [{ name: "read_file", inputSchema: { type: "object" } }],
          callTool: async () => ({ content: [] }),
        },
      ],
    },
  });
  const exec = run.exec({ code: "main" }, { toolCallId: "model-1" });
  await settled();
  for (const gate of gates.toReversed()) gate.resolve(null);
  expect(await exec).toMatchObject({ status: "completed" });

  const ids = run.trajectory().map(({ id }) => id);
  const nested = (name: string, id: string | undefined, more: object = {}) => ({
    name: `execute_tool ${name}`,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": id,
      "codemode.callable.name": name,
      "codemode.source": "host",
      "codemode.status": "completed",
      ...more,
    },
    isError: false,
    children: [],
  });
  expect(world.tree()).toEqual([
    {
      name: "execute_tool exec",
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "exec",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "model-1",
        "gen_ai.conversation.id": "session-1",
        "gen_ai.agent.id": "research",
        "codemode.status": "completed",
      },
      isError: false,
      children: [
        nested("slow", ids[0]),
        nested("slow", ids[1]),
        nested("slow", ids[2]),
        {
          ...nested("fail", ids[3], { "codemode.status": "failed", "error.type": "RangeError" }),
          isError: true,
        },
        nested("read_file", ids[4], { "codemode.callable.name": "MCP.files.readFile", "codemode.source": "mcp" }),
      ],
    },
  ]);
  expect(JSON.stringify(world.tree())).not.toContain("hunter2");
});

test("TELE-04: spans lie under the host's own, and what a tool traces lies under its call's", async () => {
  deactivate = activateContexts();
  const world = createTracedWorld();
  const traced = tool("traced", async () => {
    await settled();
    world.tracer.startSpan("query").end();
  });
  const camera = tool("camera", () => world.tracer.startSpan("shot").end(), { directOnly: true });
  const { run } = createTestHost({
    tracer: world.tracer,
    programs: { main: (guest) => Promise.all([guest.call("traced"), guest.call("traced")]) },
    run: { tools: [traced, camera] },
  });
  await world.tracer.startActiveSpan("turn", async (turn) => {
    await run.exec({ code: "main" });
    await run.handleToolCall("camera", {});
    turn.end();
  });
  const call = ["execute_tool traced", ["query"]];
  expect(world.names()).toEqual([
    [
      "turn",
      [
        ["execute_tool exec", [call, call]],
        ["execute_tool camera", ["shot"]],
      ],
    ],
  ]);
});

test("TELE-04: a wait is a span of its own, linked to the exec; calls lie under whoever dispatched them", async () => {
  const world = createTracedWorld();
  const gate = deferred();
  const { run, clock } = createTestHost({
    tracer: world.tracer,
    programs: {
      main: async (guest) => {
        await guest.call("slow");
        return guest.call("quick");
      },
    },
    run: { tools: [tool("slow", () => gate.promise), tool("quick", () => 1)] },
  });
  const exec = run.exec({ code: "main" });
  await settled();
  await clock.advance(10_000);
  const { runId } = (await exec) as { runId: string };
  const wait = run.wait({ runId });
  gate.resolve(null);
  await wait;
  expect(world.names()).toEqual([
    ["execute_tool exec", ["execute_tool slow"]],
    ["execute_tool wait", ["execute_tool quick"]],
  ]);
  const [started, resumed] = ["exec", "wait"].map((name) => world.spans().find((span) => span.name.endsWith(name)));
  expect(started?.attributes).toMatchObject({ "codemode.status": "waiting", "codemode.run.id": runId });
  expect(resumed?.links.map(({ context }) => context.spanId)).toEqual([started?.spanContext().spanId]);
});

describe("TELE-04: endings", () => {
  test("TELE-04: failures and refusals are errors without their text; abandoned calls end as unknown", async () => {
    const world = createTracedWorld();
    const { run } = createTestHost({
      tracer: world.tracer,
      programs: {
        main: () => Promise.reject(new Error("hunter2")),
        stuck: (guest) => guest.call("stuck"),
      },
      run: { tools: [tool("stuck", () => new Promise(() => {}))] },
    });
    await run.exec({ code: "main" });
    await run.exec({ code: "" });
    await run.handleToolCall("nobody", {}).catch(() => {});
    const stuck = run.exec({ code: "stuck" });
    await settled();
    await run.close();
    await stuck;
    const shown = world.tree().map(({ name, isError, attributes, children }) => {
      const inner = children.map((child) => [child.name, child.attributes["error.type"], child.isError]);
      return [name, attributes["error.type"], isError, inner];
    });
    expect(shown).toEqual([
      ["execute_tool exec", "guest_error", true, []],
      ["execute_tool exec", "invalid_input", true, []],
      ["execute_tool unknown", "CodeModeError", true, []],
      ["execute_tool exec", "aborted", true, [["execute_tool stuck", "unknown", true]]],
    ]);
    expect(JSON.stringify(world.tree())).not.toContain("hunter2");
  });

  test("TELE-04: a tracer that throws costs spans and nothing else", async () => {
    const tracer = {
      startSpan(): never {
        throw new Error("exporter is broken");
      },
    };
    const { run, faults } = createTestHost({
      tracer,
      programs: { main: (guest) => guest.call("echo", { a: 1 }) },
      run: { tools: [tool("echo", (input) => input)] },
    });
    expect(await run.exec({ code: "main" })).toMatchObject({ status: "completed", value: { a: 1 } });
    expect(faults.map(String)).toEqual(["Error: exporter is broken", "Error: exporter is broken"]);
  });
});

test("TELE-04: createCodeMode takes OpenTelemetry's own tracer", async () => {
  const world = createTracedWorld();
  await using codeMode = createCodeMode({ tracer: world.tracer, workers: { max: 1 } });
  const run = codeMode.openRun({ scope: { agentRunId: "agent-1" }, tools: [tool("one", () => 1)] });
  const code = "const all = await Promise.all([one({}), one({})]); return all.length";
  expect(await run.exec({ code })).toMatchObject({ status: "completed", value: 2 });
  expect(world.names()).toEqual([["execute_tool exec", ["execute_tool one", "execute_tool one"]]]);
});
