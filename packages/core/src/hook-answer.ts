import { truncateError } from "@codemode/bridge";
import { describeValue } from "@codemode/protocol";

const MAX_REASON_BYTES = 2_000;
const NO_REASON = "the host blocked this call.";

/** What `beforeToolCall` decided. */
export type HookAnswer =
  | { readonly type: "allow" }
  | { readonly type: "rewrite"; readonly input: unknown }
  | { readonly type: "block"; readonly reason: string };

/**
 * Reads what the host's `beforeToolCall` gave; its declared type is not trusted. Whatever has `block` blocks, also when
 * the reason is no text; the reason is cut at 2,000 bytes.
 *
 * @throws {TypeError} for an answer that is none, so that a faulty hook never lets a call through.
 */
export function readHookAnswer(answer: unknown): HookAnswer {
  if (answer === undefined || answer === null) return { type: "allow" };
  if (typeof answer === "object") {
    if ("block" in answer) return { type: "block", reason: reasonOf(answer.block) };
    if ("input" in answer) return { type: "rewrite", input: answer.input };
  }
  const kind = typeof answer === "string" ? "a string" : describeValue(answer);
  throw new TypeError(`beforeToolCall must give nothing, { input } or { block }, got ${kind}.`);
}

function reasonOf(block: unknown): string {
  return typeof block === "string" && block.trim() !== "" ? truncateError(block, MAX_REASON_BYTES) : NO_REASON;
}
