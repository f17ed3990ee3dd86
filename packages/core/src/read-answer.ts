import { encodeJson } from "@codemode/bridge";
import { describeValue, type ElicitationAnswer, type JsonValue } from "@codemode/protocol";
import type { ReadQuestion } from "./read-question.js";

const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_PROBLEMS = 3;

/**
 * What a gate's verdict says to a question. Its declared type is not trusted: whatever decides nothing cancels.
 *
 * @throws {TypeError} for a verdict that is the gate's fault; the text holds no value.
 */
export function readAnswer(verdict: unknown, asked: ReadQuestion): ElicitationAnswer {
  if (verdict === "allow") return { action: "cancel" };
  if (typeof verdict === "object" && verdict !== null) {
    if ("deny" in verdict) return { action: "decline" };
    if ("answer" in verdict) return { action: "accept", content: readContent(verdict.answer, asked) };
  }
  const kind = typeof verdict === "string" ? "a string" : describeValue(verdict);
  throw new TypeError(`the approval gate must give { answer } or { deny } for a question, got ${kind}.`);
}

function readContent(answer: unknown, { fields, fits }: ReadQuestion): Readonly<Record<string, JsonValue>> {
  const encoded = encodeJson(answer, MAX_ANSWER_BYTES);
  if (!encoded.isComplete) throw unfit(`it has ${encoded.bytes} bytes, and ${MAX_ANSWER_BYTES} are allowed.`);
  const content = JSON.parse(encoded.text) as JsonValue;
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    const kind = typeof content === "object" ? describeValue(content) : `a ${typeof content}`;
    throw unfit(`it must be an object, not ${kind}.`);
  }
  const entries = Object.entries(content as Readonly<Record<string, JsonValue>>);
  if (entries.some(([name]) => !fields.has(name))) throw unfit("it has fields that the question does not name.");
  if (!entries.every(([, value]) => isFlat(value)))
    throw unfit("its fields must be text, numbers, true or false, or lists of text.");
  const verdict = fits(content, { showsKeys: false });
  if (!verdict.ok) throw unfit(verdict.problems.slice(0, MAX_PROBLEMS).join(" "));
  return content as Readonly<Record<string, JsonValue>>;
}

function isFlat(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === "string");
  return typeof value !== "object";
}

function unfit(problem: string): TypeError {
  return new TypeError(`the approval gate's answer does not fit the question: ${problem}`);
}
