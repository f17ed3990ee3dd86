import { expect, test } from "vitest";
import type {
  ApprovalGate,
  ElicitationAnswer,
  ElicitationQuestion,
  NestedCall,
  ToolCallContext,
} from "@codemode/protocol";
import { withQuestions } from "./call-questions.js";

const call = { callableName: "MCP.shop.order" } as NestedCall;
const requestedSchema = {
  type: "object",
  properties: {
    name: { type: "string", maxLength: 10 },
    age: { type: "integer", minimum: 0 },
    agree: { type: "boolean" },
    sizes: { type: "array", items: { type: "string", enum: ["s", "m"] } },
  },
  required: ["name"],
};
const question: ElicitationQuestion = { mode: "form", message: "Who are you?", requestedSchema };
const SECRET = "do-not-show";

interface Asked {
  readonly answer: ElicitationAnswer;
  readonly faults: readonly unknown[];
}

/** Asks once while a call is under way; what the gate gets is what `gate` says. */
async function ask(gate: ApprovalGate, asked: ElicitationQuestion = question, signal?: AbortSignal): Promise<Asked> {
  const faults: unknown[] = [];
  const desk = { gate, reportFault: (fault: unknown) => void faults.push(fault) };
  const answer = await withQuestions(desk, contextOf(), async ({ elicit }) =>
    elicit?.(asked, signal === undefined ? {} : { signal }),
  );
  if (answer === undefined) throw new Error("nobody could be asked");
  return { answer, faults };
}

function contextOf(signal = new AbortController().signal): ToolCallContext {
  return { call, signal, remainingMs: 1_000, onUpdate: () => {}, suspendBudget: (whileWaiting) => whileWaiting };
}

const messagesOf = (faults: readonly unknown[]): string[] => faults.map((fault) => (fault as Error).message);
const unfit = (problem: string): string => `the approval gate's answer does not fit the question: ${problem}`;
const none = (kind: string): string =>
  `the approval gate must give { answer } or { deny } for a question, got ${kind}.`;
const throwing = {
  get answer(): never {
    throw new Error("no connection");
  },
};

test.each<[string, unknown, ElicitationAnswer, string[]]>([
  ["an answer", { answer: { name: "kim", age: 3 } }, { action: "accept", content: { name: "kim", age: 3 } }, []],
  [
    "lists of text",
    { answer: { name: "", sizes: ["s"] } },
    { action: "accept", content: { name: "", sizes: ["s"] } },
    [],
  ],
  ["a denial", { deny: "no" }, { action: "decline" }, []],
  ["a denial without a reason", { deny: "" }, { action: "decline" }, []],
  ["a denial beside an answer", { answer: { name: "kim" }, deny: "no" }, { action: "decline" }, []],
  ["allow", "allow", { action: "cancel" }, []],
  ["nothing", undefined, { action: "cancel" }, [none("undefined")]],
  ["text", SECRET, { action: "cancel" }, [none("a string")]],
  ["the content alone", { name: SECRET }, { action: "cancel" }, [none("an object")]],
  ["an answer that cannot be read", throwing, { action: "cancel" }, ["no connection"]],
  ["an answer that is text", { answer: SECRET }, { action: "cancel" }, [unfit("it must be an object, not a string.")]],
  ["a list", { answer: [] }, { action: "cancel" }, [unfit("it must be an object, not an array.")]],
  [
    "a field that is missing",
    { answer: {} },
    { action: "cancel" },
    [unfit('The value must have the property "name".')],
  ],
  [
    "a field that does not fit",
    { answer: { name: "kim", age: -1 } },
    { action: "cancel" },
    [unfit("/age must be at least 0.")],
  ],
  [
    "a field nobody asked for",
    { answer: { name: "kim", [SECRET]: 1 } },
    { action: "cancel" },
    [unfit("it has fields that the question does not name.")],
  ],
  [
    "a nested field",
    { answer: { name: { first: SECRET } } },
    { action: "cancel" },
    [unfit("its fields must be text, numbers, true or false, or lists of text.")],
  ],
  [
    "an answer that is too large",
    { answer: { name: "x".repeat(70_000) } },
    { action: "cancel" },
    [unfit("it has 70011 bytes, and 65536 are allowed.")],
  ],
])("MCP-14: a gate that gives %s to a question", async (_, verdict, answer, faults) => {
  const asked = await ask(async () => verdict as never);
  expect({ answer: asked.answer, faults: messagesOf(asked.faults) }).toEqual({ answer, faults });
});

test("MCP-14: a gate that fails at a question cancels it; only what is no time-out and no abort is a fault", async () => {
  const ends = [
    new DOMException("late", "TimeoutError"),
    new DOMException("closed", "AbortError"),
    new Error("broken"),
  ];
  for (const end of ends) {
    expect(await ask(() => Promise.reject(end))).toEqual({
      answer: { action: "cancel" },
      faults: end instanceof DOMException ? [] : [end],
    });
  }
  const atOnce = await ask(() => {
    throw ends[2] as Error;
  });
  expect(atOnce).toEqual({ answer: { action: "cancel" }, faults: [ends[2]] });
});

test("MCP-14: the gate gets the call, the question as data that shares nothing, and a signal", async () => {
  const seen: unknown[] = [];
  const asked = { ...question, requestedSchema: structuredClone(requestedSchema), extra: () => {} };
  await ask(async (...given) => {
    seen.push(...given);
    asked.requestedSchema.required.push("age");
    return { deny: "" };
  }, asked);
  expect(seen).toEqual([call, { signal: expect.any(AbortSignal) as unknown, question }]);
});

const fields = (count: number): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, { type: "string" }]));

test.each<[string, Partial<Record<keyof ElicitationQuestion, unknown>>, string]>([
  ["another mode", { mode: "url" }, 'The question\'s mode must be "form", not "url".'],
  ["no message", { message: undefined }, "The question's message must be a string, not undefined."],
  [
    "a long message",
    { message: "x".repeat(4_001) },
    "The question's message has 4001 characters, and 4000 are allowed.",
  ],
  ["no schema", { requestedSchema: undefined }, "The question's requestedSchema must be an object, not null."],
  [
    "a schema of no object",
    { requestedSchema: { type: "string" } },
    'The question\'s requestedSchema must have the type "object" and properties.',
  ],
  [
    "many fields",
    { requestedSchema: { type: "object", properties: fields(33) } },
    "The question's requestedSchema has 33 properties, and 32 are allowed.",
  ],
  [
    "a large schema",
    { requestedSchema: { type: "object", properties: {}, $comment: "x".repeat(16_384) } },
    "The question's requestedSchema has 16431 bytes, and 16384 are allowed.",
  ],
  [
    "a nested form",
    { requestedSchema: { type: "object", properties: { a: { type: "string" }, b: { type: "object" } } } },
    "The question's requestedSchema has no flat type for its property number 2.",
  ],
  [
    "an unsound schema",
    { requestedSchema: { type: "object", properties: { a: { type: "string", maxLength: "many" } } } },
    "The question's requestedSchema is invalid: The schema cannot be used: /properties/a/maxLength must be a whole number.",
  ],
])("MCP-14: a question with %s is refused and asked of nobody", async (_, part, message) => {
  let isAsked = false;
  const gate: ApprovalGate = async () => {
    isAsked = true;
    return "allow";
  };
  const asking = ask(gate, { ...question, ...part } as ElicitationQuestion);
  await expect(asking).rejects.toMatchObject({ code: "invalid_argument", message });
  expect(isAsked).toBe(false);
});

test("MCP-14: a question at its bounds is asked", async () => {
  const properties = fields(32);
  const asked = { mode: "form", message: "x".repeat(4_000), requestedSchema: { type: "object", properties } } as const;
  expect(await ask(async () => ({ answer: {} }), asked)).toEqual({
    answer: { action: "accept", content: {} },
    faults: [],
  });
});

test("MCP-14: a question that is taken back cancels at once, whether or not the gate heeds its signal", async () => {
  const controller = new AbortController();
  let told: AbortSignal | undefined;
  const asking = ask(
    async (_, { signal }) => {
      told = signal;
      controller.abort();
      return new Promise(() => {});
    },
    question,
    controller.signal,
  );
  expect(await asking).toEqual({ answer: { action: "cancel" }, faults: [] });
  expect(told?.aborted).toBe(true);
  const late = await ask(() => Promise.reject(new Error("not asked")), question, AbortSignal.abort());
  expect(late).toEqual({ answer: { action: "cancel" }, faults: [] });
});

test("MCP-14: the end of the call ends its questions, and none is asked afterwards", async () => {
  const asked: AbortSignal[] = [];
  const desk = {
    gate: (async (_, { signal }) => {
      asked.push(signal);
      return new Promise<never>(() => {});
    }) satisfies ApprovalGate,
    reportFault: () => {},
  };
  const [elicit, open] = await withQuestions(desk, contextOf(), async ({ elicit }) => [elicit, elicit?.(question)]);
  expect(await open).toEqual({ action: "cancel" });
  expect(await elicit?.(question)).toEqual({ action: "cancel" });
  expect(asked.map(({ aborted }) => aborted)).toEqual([true]);
});
