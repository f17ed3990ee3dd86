import { isObject } from "../is-object.js";
import { oneLine } from "../one-line.js";

/** Longest message of a server that is told on, in characters. */
const MAX_MESSAGE_CHARS = 100;

/**
 * What a server says of its progress, in a few words: `40 of 100, scanning`. Undefined for what is no progress.
 *
 * Untrusted: the message is data, on one line and bounded.
 */
export function describeProgress(partial: unknown): string | undefined {
  if (!isObject(partial) || partial["type"] !== "progress") return undefined;
  const { progress, total, message } = partial;
  if (typeof progress !== "number" || !Number.isFinite(progress)) return undefined;
  const share = typeof total === "number" && Number.isFinite(total) ? ` of ${rounded(total)}` : "";
  const text = typeof message === "string" ? oneLine(message, MAX_MESSAGE_CHARS) : "";
  return `${rounded(progress)}${share}${text === "" ? "" : `, ${text}`}`;
}

function rounded(amount: number): number {
  return Number(amount.toFixed(2));
}
