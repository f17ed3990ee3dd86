import { expect, test } from "vitest";
import { CodeModeError, type Elicit, type ElicitationAnswer, type ToolCallContext } from "@codemode/protocol";
import { createServerQuestions } from "./server-questions.js";

const QUESTION = { mode: "form", message: "?", requestedSchema: { type: "object", properties: {} } } as const;
const DECLINE: ElicitationAnswer = { action: "decline" };
const CANCEL: ElicitationAnswer = { action: "cancel" };

function contextOf(agentRunId: string, elicit?: Elicit): ToolCallContext {
  return {
    call: {
      id: "call_1",
      toolId: "t",
      toolName: "t",
      callableName: "MCP.s.t",
      source: "mcp",
      input: {},
      scope: { agentRunId, sessionId: "session" },
    },
    signal: new AbortController().signal,
    remainingMs: 1_000,
    onUpdate: () => {},
    suspendBudget: (whileWaiting) => whileWaiting,
    ...(elicit === undefined ? {} : { elicit }),
  };
}

function setup() {
  let now = 1_000;
  const notes: string[] = [];
  const asked: string[] = [];
  const questions = createServerQuestions({ now: () => now, onRefused: (reason) => void notes.push(reason) });
  const asks =
    (name: string, answer: Promise<ElicitationAnswer> | ElicitationAnswer = DECLINE): Elicit =>
    async () => {
      asked.push(name);
      return answer;
    };
  const ask = (): Promise<ElicitationAnswer> => questions.answer(QUESTION, new AbortController().signal);
  return { questions, notes, asked, asks, ask, pass: (ms: number) => void (now += ms) };
}

const AMBIGUOUS =
  "its question was cancelled: it may belong to requests of several runs, and a question does not say to which";
const NO_REQUEST = "its question was cancelled: no request to it is under way";

test("MCP-14: of requests of one run the newest that can ask does; without a request nobody is asked", async () => {
  const { questions, notes, asked, asks, ask } = setup();
  expect(await ask()).toEqual(CANCEL);
  const ends = [
    questions.begin(contextOf("a", asks("older"))),
    questions.begin(contextOf("a", asks("newer"))),
    questions.begin(contextOf("a")),
  ];
  expect(await ask()).toEqual(DECLINE);
  ends[1]?.();
  expect(await ask()).toEqual(DECLINE);
  for (const end of ends) end();
  expect(await ask()).toEqual(CANCEL);
  expect([asked, notes]).toEqual([
    ["newer", "older"],
    [NO_REQUEST, NO_REQUEST],
  ]);
});

test("MCP-14: a question that may be another run's is asked of nobody", async () => {
  const { questions, notes, asked, asks, ask } = setup();
  const [endA] = [questions.begin(contextOf("a", asks("a"))), questions.begin(contextOf("b", asks("b")))];
  expect(await ask()).toEqual(CANCEL);
  endA();
  expect(await ask()).toEqual(DECLINE);
  questions.begin({});
  expect(await ask()).toEqual(CANCEL);
  expect([asked, notes]).toEqual([["b"], [AMBIGUOUS, AMBIGUOUS]]);
});

test("MCP-14: a server may still ask for a request that was given up, for a minute", async () => {
  const { questions, notes, asked, asks, ask, pass } = setup();
  questions.begin(contextOf("a", asks("a")))(true);
  questions.begin(contextOf("b", asks("b")));
  pass(59_999);
  expect(await ask()).toEqual(CANCEL);
  pass(1);
  expect(await ask()).toEqual(DECLINE);
  expect([asked, notes]).toEqual([["b"], [AMBIGUOUS]]);
});

test("MCP-14: without a gate nobody is asked, and four questions are open at most", async () => {
  const { questions, notes, asks, ask } = setup();
  const end = questions.begin(contextOf("a"));
  expect(await ask()).toEqual(CANCEL);
  end();
  let answer = (_: ElicitationAnswer): void => {};
  questions.begin(contextOf("a", asks("a", new Promise((resolve) => (answer = resolve)))));
  const open = [1, 2, 3, 4, 5].map(() => ask());
  expect(await open[4]).toEqual(CANCEL);
  answer(DECLINE);
  expect(await Promise.all(open.slice(0, 4))).toEqual([DECLINE, DECLINE, DECLINE, DECLINE]);
  expect(await ask()).toEqual(DECLINE);
  expect(notes).toEqual([
    "its question was cancelled: nobody can be asked: the run has no approval gate",
    "its question was cancelled: 4 of its questions are open",
  ]);
});

test("MCP-14: a question beyond its bounds is refused with the reason; a host that fails tells the server nothing", async () => {
  const { questions, notes, ask } = setup();
  const failures: Error[] = [
    new CodeModeError("invalid_argument", "It is too long.", { path: "message", problem: "too long" }),
    new Error("secret of the host"),
  ];
  const elicit: Elicit = async () => {
    throw failures.shift() ?? new Error("asked once more");
  };
  questions.begin(contextOf("a", elicit));
  await expect(ask()).rejects.toMatchObject({ code: -32_602, message: "It is too long." });
  expect(await ask()).toEqual(CANCEL);
  expect(notes).toEqual([
    "its question was refused: It is too long.",
    "its question was cancelled: it could not be asked",
  ]);
});

test("MCP-14: while a question is open the time of its run's requests stands still, and no other's", async () => {
  const { questions, asks, ask } = setup();
  const told: string[] = [];
  const time = (name: string) => ({
    pause: () => void told.push(`${name} stands`),
    resume: () => void told.push(`${name} goes on`),
  });
  const answers: (() => void)[] = [];
  const later = async (): Promise<ElicitationAnswer> => new Promise((resolve) => answers.push(() => resolve(DECLINE)));
  const elicit: Elicit = async (...question) => (await asks("a")(...question)) && later();
  questions.begin(contextOf("a", elicit), time("asking"));
  const endOther = questions.begin(contextOf("a"), time("ended"));
  const [first, second] = [ask(), ask()];
  questions.begin(contextOf("a"), time("late"));
  questions.begin(contextOf("b"), time("foreign"));
  endOther();
  await new Promise(setImmediate);
  expect(told).toEqual(["asking stands", "ended stands", "asking stands", "ended stands", "late stands"]);
  answers[0]?.();
  await first;
  expect(told).toHaveLength(5);
  answers[1]?.();
  await second;
  expect(told.slice(5)).toEqual(["asking goes on", "late goes on"]);
});
