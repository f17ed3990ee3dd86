import type { LedgerResult } from "@codemode/bridge";
import type { CodeModeOutput } from "@codemode/protocol";

const MAX_NAMED_SOURCES = 5;

/** Content of a result that the network had a hand in, as text in the host's wrapper. */
export interface WrappedContent {
  readonly content: LedgerResult;
  /** Characters inside the wrappers. */
  readonly chars: number;
}

/**
 * Puts all that may carry text of the network into `wrap`: output as one text item, a value that is no number, boolean or
 * null as its text, and the error. Images stay items of their own, behind it: they are told by reference only.
 *
 * @throws what `wrap` throws; a TypeError when it gives no text.
 */
export function wrapContent({ output, value, error }: LedgerResult, wrap: (text: string) => string): WrappedContent {
  let chars = 0;
  const wrapped = (text: string): string => {
    chars += text.length;
    const result: unknown = wrap(text);
    if (typeof result !== "string") throw new TypeError("untrusted.wrap must give a string.");
    return result;
  };
  const isInert = value === null || typeof value === "boolean" || typeof value === "number";
  const content: LedgerResult = {
    ...(output === undefined ? {} : { output: wrapOutput(output, wrapped) }),
    ...(value === undefined ? {} : { value: isInert ? value : wrapped(asText(value)) }),
    ...(error === undefined ? {} : { error: wrapped(error) }),
  };
  return { content, chars };
}

/** Names of the calls a result's text may come from. */
export function namesOf(sources: ReadonlySet<string>): string {
  const named = [...sources].slice(0, MAX_NAMED_SOURCES);
  const more = sources.size - named.length;
  return named.join(", ") + (more === 0 ? "" : ` and ${more} more`);
}

function wrapOutput(output: readonly CodeModeOutput[], wrapped: (text: string) => string): CodeModeOutput[] {
  const texts = output.flatMap((item) =>
    item.type === "image" ? [] : [item.type === "text" ? item.text : asText(item.value)],
  );
  const images = output.filter(({ type }) => type === "image");
  return texts.length === 0 ? images : [{ type: "text", text: wrapped(texts.join("\n")) }, ...images];
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
