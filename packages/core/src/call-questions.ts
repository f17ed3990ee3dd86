import { toPlainError } from "@codemode/bridge";
import type { ElicitationAnswer, ElicitationQuestion, QuestionGate, ToolCallContext } from "@codemode/protocol";
import { readAnswer } from "./read-answer.js";
import { readQuestion, type ReadQuestion } from "./read-question.js";

const MAX_NAME_BYTES = 200;
const CANCEL: ElicitationAnswer = { action: "cancel" };

export interface QuestionDesk {
  /** Asked with the call and the question. */
  readonly gate: QuestionGate;
  /** Told what is wrong with the gate: the tool only hears that nobody decided. Never throws. */
  readonly reportFault: (fault: unknown) => void;
}

/**
 * Runs a tool that may ask the gate while it runs. What it asked last ends with it: the gate is told by its signal, and
 * an answer that comes later is dropped.
 */
export async function withQuestions<T>(
  desk: QuestionDesk,
  context: ToolCallContext,
  run: (context: ToolCallContext) => T | Promise<T>,
): Promise<T> {
  const calling = new Calling();
  try {
    // Who may ask has its signal made: a gate was given it, or a server will be.
    return await run({
      ...context,
      elicit: (question, { signal } = {}) => ask(desk, { context, question, signals: calling.signals(signal) }),
    });
  } finally {
    calling.end();
  }
}

/** A call that may ask. Most ask nothing, and pay for no signal. */
class Calling {
  #ended: AbortController | undefined;
  #isEnded = false;

  /** Those that take a question back; `signal` is its own. */
  signals(signal: AbortSignal | undefined): AbortSignal[] {
    this.#ended ??= new AbortController();
    if (this.#isEnded) this.end();
    return signal === undefined ? [this.#ended.signal] : [this.#ended.signal, signal];
  }

  end(): void {
    this.#isEnded = true;
    this.#ended?.abort(new DOMException("The call that asked has ended.", "AbortError"));
  }
}

interface Asking {
  readonly context: ToolCallContext;
  readonly question: ElicitationQuestion;
  readonly signals: AbortSignal[];
}

async function ask(
  { gate, reportFault }: QuestionDesk,
  { context, question, signals }: Asking,
): Promise<ElicitationAnswer> {
  const asked: ReadQuestion = readQuestion(question);
  const signal = AbortSignal.any([context.signal, ...signals]);
  if (signal.aborted) return CANCEL;
  try {
    const decide = async (): Promise<unknown> => gate(context.call, { signal, question: asked.question });
    const verdict = await context.suspendBudget(untilAborted(decide(), signal));
    return signal.aborted ? CANCEL : readAnswer(verdict, asked);
  } catch (error) {
    if (!signal.aborted && !isUnanswered(error)) reportFault(error);
    return CANCEL;
  }
}

/** A gate that does not heed its signal must not hold the call. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Nobody answered in time, or the person closed the form: no fault of anybody. */
function isUnanswered(error: unknown): boolean {
  const { name } = toPlainError(error, MAX_NAME_BYTES);
  return name === "TimeoutError" || name === "AbortError";
}
