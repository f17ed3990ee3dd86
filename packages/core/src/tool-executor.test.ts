import { expect, test } from "vitest";
import type {
  ApprovalGate,
  NestedCall,
  ToolCallContext,
  ToolDescriptor,
  ToolHooks,
  ToolOutcome,
} from "@codemode/protocol";
import { createToolExecutor } from "./tool-executor.js";

const closed = { type: "object", properties: { n: { type: "integer" } }, required: ["n"], additionalProperties: false };

function setup(
  parts: { tool?: Partial<ToolDescriptor>; hooks?: ToolHooks; approve?: ApprovalGate; source?: string } = {},
) {
  const log: string[] = [];
  const tool: ToolDescriptor = {
    name: "double",
    description: "",
    parameters: closed,
    execute: (input) => {
      log.push("execute");
      return { details: { doubled: (input as { n: number }).n * 2 } };
    },
    ...parts.tool,
  };
  const executor = createToolExecutor({
    ...(parts.hooks === undefined ? {} : { hooks: parts.hooks }),
    ...(parts.approve === undefined ? {} : { approve: parts.approve }),
  });
  const controller = new AbortController();
  const run = (input: unknown): Promise<ToolOutcome> => {
    const call: NestedCall = {
      id: "call-1",
      parentId: "exec-1",
      toolId: "host:double",
      toolName: "double",
      callableName: "double",
      source: parts.source ?? "host",
      input,
      scope: { agentRunId: "agent-1" },
      hostContext: { channel: "mail" },
    };
    const context: ToolCallContext = {
      call,
      signal: controller.signal,
      remainingMs: 1_000,
      onUpdate: () => {},
      suspendBudget: async (promise) => {
        log.push("suspend");
        try {
          return await promise;
        } finally {
          log.push("resume");
        }
      },
    };
    return executor(call, tool, context);
  };
  return { run, log, controller };
}

test("CALL-01: a call runs validation, beforeToolCall, approval, execute, afterToolCall and output contract in order", async () => {
  const log: string[] = [];
  const seen: NestedCall[] = [];
  const { run } = setup({
    tool: {
      outputSchema: { type: "object", properties: { doubled: { const: 8 } }, required: ["doubled"] },
      execute: (input, context) => {
        log.push(`execute ${JSON.stringify(input)} ${context.call.parentId} ${String(context.signal.aborted)}`);
        seen.push(context.call);
        return { details: { doubled: 4 } };
      },
    },
    hooks: {
      beforeToolCall: async (call) => {
        log.push(`before ${JSON.stringify(call.input)}`);
        return { input: { n: 4 } };
      },
      afterToolCall: async (_call, outcome) => {
        log.push(`after ${JSON.stringify(outcome.details)}`);
        return { details: { doubled: 8 } };
      },
    },
    approve: async (call) => {
      log.push(`approve ${JSON.stringify(call.input)}`);
      return "allow";
    },
  });
  expect(await run({ n: 2 })).toEqual({ details: { doubled: 8 } });
  expect(log).toEqual(['before {"n":2}', 'approve {"n":4}', 'execute {"n":4} exec-1 false', 'after {"doubled":4}']);
  expect(seen).toMatchObject([{ id: "call-1", scope: { agentRunId: "agent-1" }, hostContext: { channel: "mail" } }]);
});

test("CALL-01: invalid input stops the call before any hook", async () => {
  const asked: unknown[] = [];
  const { run, log } = setup({ hooks: { beforeToolCall: async (call) => void asked.push(call) } });
  await expect(run({ n: "2" })).rejects.toMatchObject({
    name: "ToolError",
    code: "tool_input_invalid",
    message: expect.stringMatching(/^Invalid input for double: /) as unknown,
  });
  expect([asked, log]).toEqual([[], []]);
});

test("CALL-01: rewritten input is validated again", async () => {
  const { run, log } = setup({ hooks: { beforeToolCall: async () => ({ input: { n: "x" } }) } });
  await expect(run({ n: 2 })).rejects.toMatchObject({ code: "tool_input_invalid" });
  expect(log).toEqual([]);
});

test("a hook may block, with its reason", async () => {
  const { run, log } = setup({ hooks: { beforeToolCall: async () => ({ block: "not on Sundays" }) } });
  await expect(run({ n: 2 })).rejects.toMatchObject({ code: "tool_blocked", message: "not on Sundays" });
  expect(log).toEqual([]);
});

test("a person may deny, with a reason, while the budget is suspended", async () => {
  const { run, log } = setup({ approve: async () => ({ deny: "the operator said no" }) });
  await expect(run({ n: 2 })).rejects.toMatchObject({ code: "tool_denied", message: "the operator said no" });
  expect(log).toEqual(["suspend", "resume"]);
});

test("OWN-01: an approval that comes after the cancellation starts nothing", async () => {
  const made = setup({
    approve: async () => {
      made.controller.abort(new Error("cancelled"));
      return "allow";
    },
  });
  await expect(made.run({ n: 2 })).rejects.toThrow("cancelled");
  expect(made.log).toEqual(["suspend", "resume"]);
});

test("OUTC-01: an output schema that cannot be compiled stops the call before execution", async () => {
  const { run, log } = setup({ tool: { outputSchema: { type: "strin" } } });
  await expect(run({ n: 2 })).rejects.toMatchObject({
    code: "tool_output_invalid",
    message: expect.stringMatching(/^double was not run: its output schema is invalid: /) as unknown,
  });
  expect(log).toEqual([]);
});

test("OUTC-02: a mismatch after the hooks is an error that does not print the value", async () => {
  const { run, log } = setup({
    tool: { outputSchema: { type: "object", properties: { doubled: { type: "string" } } } },
    hooks: { afterToolCall: async () => ({ details: { doubled: 4_711 } }) },
  });
  await expect(run({ n: 2 })).rejects.toMatchObject({
    code: "tool_output_invalid",
    message: "double has run, but its result does not match its output schema: /doubled must be a string.",
  });
  expect(log).toEqual(["execute"]);
});

test.each([
  ["nothing", undefined, "undefined"],
  ["a string", "secret", "a string"],
  ["an object without details", { content: [] }, "an object"],
])("an outcome that is %s is an error", async (_name, outcome, described) => {
  const { run } = setup({ tool: { execute: () => outcome as never } });
  await expect(run({ n: 2 })).rejects.toMatchObject({
    code: "tool_output_invalid",
    message: `double did not return { details: ... } but ${described}.`,
  });
});

test("CALL-03: a terminal outcome is not held against the output contract", async () => {
  const { run } = setup({
    tool: { outputSchema: { type: "string" }, execute: () => ({ details: null, terminal: true }) },
  });
  expect(await run({ n: 2 })).toEqual({ details: null, terminal: true });
});

test("MCP-01: MCP servers validate their own input; hooks and approvals still apply", async () => {
  const { run, log } = setup({ source: "mcp", approve: async () => "allow" });
  expect(await run({ n: "not checked" })).toEqual({ details: { doubled: NaN } });
  expect(log).toEqual(["suspend", "resume", "execute"]);
});

test("OUTC-02: what is checked is the plain form, and exactly that is delivered", async () => {
  const outputSchema = {
    type: "object",
    properties: { at: { type: "string", maxLength: 24 }, name: { type: "string" } },
    required: ["at"],
    additionalProperties: false,
  };
  const dated = setup({
    tool: { outputSchema, execute: () => ({ details: { at: new Date(0), name: undefined } as never }) },
  });
  expect(await dated.run({ n: 1 })).toEqual({ details: { at: "1970-01-01T00:00:00.000Z" } });
  let reads = 0;
  const changing = {
    get at() {
      return ++reads === 1 ? "short" : "x".repeat(100);
    },
  };
  const shifty = setup({ tool: { outputSchema, execute: () => ({ details: changing as never }) } });
  expect([await shifty.run({ n: 1 }), reads]).toEqual([{ details: { at: "short" } }, 1]);
});
