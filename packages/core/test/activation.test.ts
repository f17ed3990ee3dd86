import { resolveActivation, type ActivationConfig } from "@codemode/config";
import { expect, test } from "vitest";
import { createTestHost, tool } from "./fakes/test-host.js";

const model = { provider: "openai", id: "gpt-5.6" };

/** Names that code mode has uses for, and two tools of one id: a host's list is its own while code mode is off. */
const TOOLS = [
  tool("read", () => "read"),
  tool("exec", () => "shell", { directOnly: true }),
  tool("wait", () => "waited"),
  tool("tool_search", () => "found"),
  tool("read", () => "client", { source: "client", id: "one" }),
  tool("other", () => null, { id: "one" }),
];

const OFF: readonly ActivationConfig[] = [
  {},
  { tools: {} },
  { tools: { codeMode: false } },
  { tools: { codeMode: {} } },
  { tools: { codeMode: { timeoutMs: 500, languages: ["javascript"], maxPendingToolCalls: 3 } } },
  { tools: { codeMode: { enabled: false, timeoutMs: 500 } } },
];

test.each(OFF)("ACT-01, ACT-13: the host's tool list stays as it is with %j", async (config) => {
  const activation = resolveActivation({ config, model });
  const { run } = createTestHost({ run: { tools: TOOLS, activation } });
  const shown = TOOLS.map(({ name, description, parameters }) => ({ name, description, parameters }));
  expect([activation.engaged, run.modelTools]).toEqual([false, shown]);
  expect(await run.handleToolCall("exec", {})).toEqual({ details: "shell" });
  expect(await run.handleToolCall("tool_search", {})).toEqual({ details: "found" });
  expect(run.telemetry()).toMatchObject({ catalogSize: 0, sources: {} });
  run.appendTools([tool("late", () => null)]);
  expect(run.modelTools.at(-1)?.name).toBe("late");
});

test("ACT-13: while code mode is active the controls of tool search are neither the model's nor in the catalog", async () => {
  const controls = ["tool_search_code", "tool_search", "tool_describe", "tool_call"];
  const direct = controls.map((name) => tool(name, () => name, { directOnly: true }));
  const hidden = controls.map((name) => tool(name, () => name));
  for (const tools of [direct, hidden]) {
    const { run, executor } = createTestHost({
      programs: { all: (guest) => guest.search("tool search describe call code", 50) },
      run: { tools: [tool("read", () => null), ...tools] },
    });
    run.appendTools(tools.map((descriptor) => ({ ...descriptor, source: "client" })));
    expect(run.modelTools.map(({ name }) => name)).toEqual(["exec", "wait"]);
    expect(await run.exec({ code: "all" })).toMatchObject({ status: "completed", value: [] });
    const [start] = executor.starts as { surface?: { tools: { toolName: string }[] } }[];
    expect(start?.surface?.tools.map(({ toolName }) => toolName)).toEqual(["read"]);
    for (const name of controls) {
      await expect(run.handleToolCall(name, {})).rejects.toMatchObject({ code: "invalid_argument" });
    }
  }
});
