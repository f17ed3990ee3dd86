import { describe, expect, test } from "vitest";
import { createTestHost, tool } from "./fakes/test-host.js";

const UNPROVEN = "restart-safe code mode cannot call tool surfaces that are not proven replay-safe";
const NAMESPACE = "restart-safe code mode cannot call namespace tools.";

function setup({ replay = false } = {}) {
  const called: string[] = [];
  const asked: string[] = [];
  const note = (name: string, more: object = {}) => tool(name, () => called.push(name), more);
  const host = createTestHost({
    config: { catalogIncludesMcp: true },
    programs: {
      caught: async (guest) => {
        const messages = ["write", "unmarked", "MCP.files.readFile"].map(async (name) => {
          const refusal: unknown = await guest.call(name).catch((error: unknown) => error);
          return String(refusal);
        });
        const refusals = await Promise.all(messages);
        await guest.call("read");
        return refusals;
      },
      proven: (guest) => guest.call("read"),
      unproven: (guest) => guest.call("unmarked"),
      namespace: (guest) => guest.call("MCP.files.readFile"),
      safe: async (guest) => {
        await guest.search("read");
        await guest.describe("write");
        await new Promise<void>((resolve) => guest.setTimeout(resolve, 0));
        await guest.yieldControl();
        return guest.call("read");
      },
      turning: async (guest) => {
        await guest.call("read");
        await guest.yieldControl();
        await guest.call("unmarked").catch(() => {});
        await guest.yieldControl();
        await guest.call("read");
        return "done";
      },
    },
    run: {
      replay,
      tools: [note("read", { replaySafe: true }), note("write", { replaySafe: false }), note("unmarked")],
      mcp: [
        {
          name: "files",
          trusted: true,
          tools: [{ name: "read_file", inputSchema: { type: "object" } }],
          callTool: async () => {
            called.push("read_file");
            return { content: [] };
          },
        },
      ],
      hooks: {
        beforeToolCall: async ({ toolName }) => {
          if (toolName !== "exec") asked.push(toolName);
        },
      },
    },
  });
  return { ...host, called, asked };
}

describe("RST-01: a restart-safe cell", () => {
  test.each([
    ["the model asks", false, { restartSafe: true }],
    ["the host asks", true, {}],
    ["the host asks and the model does not", true, { restartSafe: false }],
  ])("RST-01: calls only what is proven replay-safe, when %s", async (_who, replay, input) => {
    const { run, called, asked, clock } = setup({ replay });
    const exec = run.exec({ code: "caught", ...input });
    await clock.advance(0);
    expect(await exec).toMatchObject({
      status: "completed",
      value: [`Error: ${UNPROVEN}`, `Error: ${UNPROVEN}`, `Error: ${NAMESPACE}`],
    });
    expect([called, asked]).toEqual([["read"], ["read"]]);
    expect(run.trajectory().map(({ toolName }) => toolName)).toEqual(["read"]);
    expect(run.telemetry().callCount).toBe(1);
  });

  test.each([
    ["unproven", UNPROVEN],
    ["namespace", NAMESPACE],
  ])("RST-01: an uncaught refusal fails it with nothing dispatched: %s", async (code, message) => {
    const { run, called } = setup();
    expect(await run.exec({ code, restartSafe: true })).toMatchObject({
      status: "failed",
      error: `Error: ${message}`,
      calls: [],
      replaySafe: false,
    });
    expect(called).toEqual([]);
  });

  test("RST-01: neither model nor host: anything may be called", async () => {
    const { run, called } = setup();
    expect(await run.exec({ code: "caught", restartSafe: false })).toMatchObject({ status: "completed" });
    expect(called.toSorted()).toEqual(["read", "read_file", "unmarked", "write"]);
  });
});

describe("RST-02: results", () => {
  test.each([true, false])(
    "RST-02: a cell stays replay-safe with lookups, timers and safe calls: %s",
    async (restartSafe) => {
      const { run, clock } = setup();
      const exec = run.exec({ code: "safe", restartSafe });
      await clock.advance(1);
      const waiting = await exec;
      expect(waiting).toMatchObject({ status: "waiting", replaySafe: true });
      const { runId } = waiting as { runId: string };
      expect(await run.wait({ runId })).toMatchObject({ status: "completed", replaySafe: true });
    },
  );

  test.each([true, false])("RST-02: it is never regained, across waits: %s", async (restartSafe) => {
    const { run, called } = setup();
    const first = await run.exec({ code: "turning", restartSafe });
    expect(first).toMatchObject({ status: "waiting", replaySafe: true });
    const { runId } = first as { runId: string };
    expect(await run.wait({ runId })).toMatchObject({ status: "waiting", replaySafe: false });
    expect(await run.wait({ runId })).toMatchObject({ status: "completed", value: "done", replaySafe: false });
    expect(called).toEqual(restartSafe ? ["read", "read"] : ["read", "unmarked", "read"]);
    // Another cell of the run is judged by its own calls.
    expect(await run.exec({ code: "proven", restartSafe })).toMatchObject({ status: "completed", replaySafe: true });
  });

  test("RST-02: a refusal, which started no cell, says nothing of it", async () => {
    const { run } = setup();
    expect(await run.exec({ code: "" })).not.toHaveProperty("replaySafe");
    expect(await run.wait({ runId: "cm_unknown" })).not.toHaveProperty("replaySafe");
  });
});
