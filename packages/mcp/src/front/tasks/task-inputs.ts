// Invariant: a key is used once in a session, so an answer reaches its own question or none.
import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/server";
import { isObject } from "../../is-object.js";

/** A question, as a task of the extension shows it. */
export interface InputRequest {
  readonly method: "elicitation/create";
  readonly params: ElicitRequestFormParams;
}

/** What the tasks of one client ask it. The client finds a question by asking for the task, and answers by its key. */
export interface TaskInputs {
  /** Open until it is answered, or taken back by the signal. The answer is untrusted. @throws the signal's reason */
  ask(taskId: string, form: ElicitRequestFormParams, signal: AbortSignal): Promise<ElicitResult>;
  /** By key, in the order in which they were asked; undefined when none is open. */
  open(taskId: string): Readonly<Record<string, InputRequest>> | undefined;
  /** By key. Untrusted: what is no answer, or is for no open question of the task, changes nothing. */
  answer(taskId: string, responses: Readonly<Record<string, unknown>>): void;
}

interface Question {
  readonly taskId: string;
  readonly request: InputRequest;
  readonly settle: (answer: ElicitResult) => void;
}

export function createTaskInputs(): TaskInputs {
  const questions = new Map<string, Question>();
  let asked = 0;

  const openOf = (taskId: string): [string, Question][] =>
    [...questions].filter(([, question]) => question.taskId === taskId);

  return {
    ask(taskId, params, signal) {
      return new Promise((resolve, reject) => {
        const key = `question-${(asked += 1)}`;
        const takeBack = (): void => {
          questions.delete(key);
          reject(signal.reason as Error);
        };
        const settle = (answer: ElicitResult): void => {
          questions.delete(key);
          signal.removeEventListener("abort", takeBack);
          resolve(answer);
        };
        questions.set(key, { taskId, request: { method: "elicitation/create", params }, settle });
        if (signal.aborted) takeBack();
        else signal.addEventListener("abort", takeBack, { once: true });
      });
    },
    open(taskId) {
      const requests = openOf(taskId).map(([key, { request }]) => [key, request] as const);
      return requests.length === 0 ? undefined : Object.fromEntries(requests);
    },
    answer(taskId, responses) {
      for (const [key, { settle }] of openOf(taskId)) {
        const answer = Object.hasOwn(responses, key) ? decodeAnswer(responses[key]) : undefined;
        if (answer !== undefined) settle(answer);
      }
    },
  };
}

/** Undefined for what is no answer. Whether it fits the question is for who asked. */
function decodeAnswer(response: unknown): ElicitResult | undefined {
  if (!isObject(response)) return undefined;
  const { action, content } = response;
  if (action === "decline" || action === "cancel") return { action };
  if (action !== "accept" || !(content === undefined || isObject(content))) return undefined;
  return { action, content: (content ?? {}) as NonNullable<ElicitResult["content"]> };
}
