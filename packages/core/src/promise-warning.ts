import type { CodeModeOutput } from "@codemode/protocol";

/** What a promise becomes where text is wanted. */
const PROMISE_TEXT = "[object Promise]";
const WARNING = `The result holds "${PROMISE_TEXT}": a call was written into a text before it was awaited.`;

/** Warns of a call that was not awaited, where its promise went into a text: nothing fails then. */
export function lostPromiseWarning(
  valueText: string | undefined,
  output: readonly CodeModeOutput[] | undefined,
): string | undefined {
  const isLost =
    valueText?.includes(PROMISE_TEXT) === true ||
    output?.some((item) => item.type === "text" && item.text.includes(PROMISE_TEXT)) === true;
  return isLost ? WARNING : undefined;
}
