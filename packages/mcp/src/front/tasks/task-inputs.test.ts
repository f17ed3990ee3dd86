import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { createTaskInputs } from "./task-inputs.js";

const form = (message: string): ElicitRequestFormParams => ({
  mode: "form",
  message,
  requestedSchema: { type: "object", properties: {} },
});
const request = (message: string) => ({ method: "elicitation/create", params: form(message) });
const { signal } = new AbortController();

test("MCP-14, E2E-03: each question of a task has a key of its own, and is open until it is answered", async () => {
  const inputs = createTaskInputs();
  const [first, second] = [inputs.ask("a", form("1"), signal), inputs.ask("a", form("2"), signal)];
  const other = inputs.ask("b", form("3"), signal);
  expect(inputs.open("a")).toEqual({ "question-1": request("1"), "question-2": request("2") });
  expect(inputs.open("b")).toEqual({ "question-3": request("3") });
  inputs.answer("a", { "question-2": { action: "decline" } });
  expect(await second).toEqual({ action: "decline" });
  expect(inputs.open("a")).toEqual({ "question-1": request("1") });
  inputs.answer("a", { "question-1": { action: "accept", content: { n: 1 }, more: "ignored" } });
  expect(await first).toEqual({ action: "accept", content: { n: 1 } });
  expect(inputs.open("a")).toBeUndefined();
  const again = inputs.ask("a", form("1"), signal);
  expect(inputs.open("a")).toEqual({ "question-4": request("1") });
  inputs.answer("a", { "question-4": { action: "accept" } });
  inputs.answer("b", { "question-3": { action: "cancel", content: { n: 1 } } });
  expect([await again, await other]).toEqual([{ action: "accept", content: {} }, { action: "cancel" }]);
});

test("MCP-14, E2E-03: what is no answer to an open question of the task changes nothing", async () => {
  const inputs = createTaskInputs();
  const asked = inputs.ask("a", form("1"), signal);
  const accept = { action: "accept", content: {} };
  inputs.answer("b", { "question-1": accept });
  inputs.answer("a", { "question-2": accept, __proto__: { "question-1": accept } });
  for (const odd of [null, "accept", [], {}, { action: "allow" }, { action: "accept", content: [1] }]) {
    inputs.answer("a", { "question-1": odd });
  }
  expect(inputs.open("a")).toEqual({ "question-1": request("1") });
  inputs.answer("a", { "question-1": { action: "decline" } });
  inputs.answer("a", { "question-1": accept });
  expect(await asked).toEqual({ action: "decline" });
});

test("MCP-14, E2E-03: a question that is taken back is open no longer", async () => {
  const inputs = createTaskInputs();
  const controller = new AbortController();
  const asked = inputs.ask("a", form("1"), controller.signal);
  controller.abort(new Error("the task was cancelled"));
  await expect(asked).rejects.toThrow("the task was cancelled");
  await expect(inputs.ask("a", form("2"), controller.signal)).rejects.toThrow("the task was cancelled");
  expect(inputs.open("a")).toBeUndefined();
});
