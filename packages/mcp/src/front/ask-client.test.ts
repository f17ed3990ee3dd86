import type { NestedCall } from "@codemode/core";
import type { ElicitResult, McpServer } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { createClientQuestions } from "./ask-client.js";

const call = { callableName: "MCP.shop.order" } as NestedCall;
const question = { mode: "form", message: "How many?", requestedSchema: { type: "object", properties: {} } } as const;

/** A client that accepts, at once unless told otherwise, and the requests its questions went along with. */
function setup(elicitation: object | undefined = { form: {} }, answers: Promise<ElicitResult>[] = []) {
  const related: unknown[] = [];
  const signals: AbortSignal[] = [];
  const server = {
    getClientCapabilities: () => ({ elicitation }),
    async request(_: unknown, options: { relatedRequestId: unknown; signal: AbortSignal }): Promise<ElicitResult> {
      related.push(options.relatedRequestId);
      signals.push(options.signal);
      return answers.shift() ?? { action: "accept", content: {} };
    },
  };
  const questions = createClientQuestions({
    host: { emit: () => {} },
    number: 1,
    server: () => ({ server }) as unknown as McpServer,
    routeOf: () => undefined,
  });
  const ask = (signal = new AbortController().signal) => questions.gate(call, { signal, question });
  return { questions, ask, related, signals };
}

test("MCP-14: a question goes along with the newest request of the client that is under way", async () => {
  const { questions, ask, related } = setup();
  await questions.during(1, () => questions.during("two", () => ask()));
  await questions.during(3, async () => {
    await questions.during(2, async () => {});
    await ask();
  });
  expect(related).toEqual(["two", 3]);
});

test("MCP-14: between exec and wait a question waits for the next request, or for its end", async () => {
  const { questions, ask, related } = setup();
  const controller = new AbortController();
  const given = ask(controller.signal);
  const kept = ask();
  await new Promise(setImmediate);
  expect(related).toEqual([]);
  controller.abort();
  await expect(given).rejects.toThrow("nobody answered");
  expect(await questions.during(5, () => kept)).toEqual({ answer: {} });
  expect(related).toEqual([5]);
});

test("MCP-14: a question does not go along with a request that nobody listens to, and one that is over waits for none", async () => {
  const { questions, ask, related } = setup();
  await questions.during(1, async () => {
    questions.unheard(1);
    await expect(ask(AbortSignal.abort())).rejects.toThrow("nobody answered");
    const asked = ask();
    await questions.during(2, () => asked);
  });
  expect(related).toEqual([2]);
});

test("MCP-14: a question whose stream broke is asked again with the next request, and the first answer counts", async () => {
  const never = new Promise<never>(() => {});
  let first = (_: ElicitResult): void => {};
  const pending = new Promise<ElicitResult>((resolve) => (first = resolve));
  const { questions, ask, related, signals } = setup({ form: {} }, [never, pending, never]);
  await questions.during(1, async () => {
    const asked = ask();
    await new Promise(setImmediate);
    questions.unheard(1);
    await questions.during(2, async () => {
      await new Promise(setImmediate);
      questions.unheard(2);
    });
    await questions.during(3, async () => {
      await new Promise(setImmediate);
      first({ action: "decline" });
      expect(await asked).toEqual({ deny: "the client declined" });
    });
  });
  expect(related).toEqual([1, 2, 3]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
});

test("MCP-14: a client that takes no forms is asked nothing", async () => {
  const { questions, ask, related } = setup({ url: {} });
  await expect(questions.during(1, () => ask())).rejects.toMatchObject({ name: "AbortError" });
  expect(related).toEqual([]);
});
