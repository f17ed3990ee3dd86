import { resolveActivation, type ActivationRun } from "@codemode/config";
import { CodeModeError } from "@codemode/protocol";
import { expect, test } from "vitest";
import { createTestHost, tool } from "../test/fakes/test-host.js";
import { enforcePayload } from "./enforce-payload.js";
import type { RunOptions } from "./options.js";

const TOOLS = [
  tool("read", () => null),
  tool("camera", () => null, { directOnly: true }),
  tool("tool_search", () => null, { directOnly: true }),
];

function engagedRun(more: Partial<RunOptions> = {}) {
  return createTestHost({ run: { tools: TOOLS, ...more } }).run;
}

function payload(...names: unknown[]): { tools: { name: string }[] } {
  return { tools: names.map((name) => ({ name: name as string })) };
}

test("ACT-12: exactly one exec, one wait and approved direct tools pass, in any order", () => {
  const run = engagedRun();
  enforcePayload(payload("exec", "wait"), run);
  enforcePayload(payload("wait", "camera", "exec"), run);
  enforcePayload({ tools: run.modelTools }, run);
});

test.each([
  ["no wait", payload("exec"), "it holds wait 0 times instead of once"],
  ["nothing", payload(), "it holds exec 0 times instead of once"],
  ["two exec", payload("exec", "exec", "wait"), "it holds exec 2 times instead of once"],
  ["two wait", payload("exec", "wait", "wait"), "it holds wait 2 times instead of once"],
  ["a hidden tool", payload("exec", "wait", "read"), "it exposes 1 tool(s) that code mode did not approve"],
  ["a stranger", payload("exec", "wait", "a", "b"), "it exposes 2 tool(s) that code mode did not approve"],
  ["a direct tool twice", payload("exec", "wait", "camera", "camera"), "it repeats 1 of its direct tools"],
  ["other case", payload("Exec", "wait"), "it holds exec 0 times instead of once"],
  ["tool search", payload("exec", "wait", "tool_search"), "it exposes 1 tool(s) that code mode did not approve"],
  ["a name that is no text", payload("exec", "wait", 7), "it holds a tool without a name"],
  ["a nested name", { tools: [{ function: { name: "exec" } }] }, "it holds a tool without a name"],
  ["no tools", {}, "its tools cannot be read"],
  ["no payload", undefined, "its tools cannot be read"],
  ["tools that throw", throwing(), "its tools cannot be read"],
])("ACT-12: a payload with %s is refused", (_what, given, problem) => {
  const refuse = (): void => enforcePayload(given as never, engagedRun());
  expect(refuse).toThrow(
    new CodeModeError("payload_rejected", `The request to the model was refused: ${problem}.`, { problem }),
  );
});

test("ACT-12: direct tools that were narrowed away are approved no longer", () => {
  const run = engagedRun();
  run.narrow((name) => name !== "camera");
  expect(() => enforcePayload(payload("exec", "wait", "camera"), run)).toThrow(CodeModeError);
  enforcePayload(payload("exec", "wait"), run);
});

test("ACT-12: a closed run still refuses what it did not approve", async () => {
  const run = engagedRun();
  await run.close();
  expect(() => enforcePayload(payload("read"), run)).toThrow(CodeModeError);
});

const NO_TOOL_RUNS: readonly ActivationRun[] = [{ isRawModelCall: true }, { disableTools: true }, { allow: [] }];

test.each(NO_TOOL_RUNS)("ACT-07: a run without tools triggers no enforcement: %j", (kind) => {
  const config = { tools: { codeMode: true } };
  const model = { provider: "openai", id: "gpt-5.6" };
  const activation = resolveActivation({ config, model, run: kind });
  const run = engagedRun({ activation, tools: [] });
  expect([run.modelTools, run.stats().codeModeEngaged]).toEqual([[], false]);
  enforcePayload({ tools: [] }, run);
  enforcePayload({} as never, run);
});

function throwing(): unknown {
  return {
    get tools() {
      throw new Error("hidden");
    },
  };
}
