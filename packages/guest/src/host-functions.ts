import { RangeErrorConstructor, TypeErrorConstructor, hasOwn, parseJson } from "./library-primordials.js";
import type { Ask } from "./library-services.js";

/** Longest question, in UTF-16 units of JSON. */
const MAX_QUESTION_CHARS = 1_000_000;

/** Functions of the engine adapter. What they answer goes to `receive`, before they return. */
export interface HostFunctions {
  /** Answers a question of the library; both are JSON text. */
  answer(question: string, receive: (answer: string) => void): void;
  /** Evaluates a chunk of the library. */
  load(chunk: string, receive: (install: unknown) => void): void;
}

interface Answer {
  readonly value?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
}

export function createAsk(answer: HostFunctions["answer"]): Ask {
  let received = "";
  const receive = (text: string): void => {
    received = text;
  };
  return (question) => {
    if (question.length > MAX_QUESTION_CHARS) {
      throw new RangeErrorConstructor(`The input is too long here: ${question.length} characters.`);
    }
    answer(question, receive);
    const reply = parseJson(received) as Answer;
    if (!hasOwn(reply, "error")) return reply.value;
    const { name, message } = reply.error as NonNullable<Answer["error"]>;
    throw new (name === "RangeError" ? RangeErrorConstructor : TypeErrorConstructor)(message);
  };
}
