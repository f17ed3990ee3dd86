import { javascriptHintFor } from "./source-hints.js";
import type { SourceProblem } from "./source-error.js";

/** An error as the parser reports it. */
export interface SyntaxFault {
  readonly message: string;
  readonly offset: number;
}

export const NESTED_TOO_DEEPLY = "SyntaxError: The source is nested too deeply";

/** The parser's words where they say too little or speak of its own options. */
const REWORDED: ReadonlyMap<string, (code: string, offset: number) => string> = new Map([
  ["Unexpected token", (code: string, offset: number) => `SyntaxError: ${unexpectedToken(code, offset)}`],
  ["Not enough stack space to parse input", () => NESTED_TOO_DEEPLY],
]);

/** Turns a parser's error into what a model reads, with a hint where the source is not JavaScript at all. */
export function describeSyntaxError(code: string, fault: SyntaxFault): SourceProblem {
  const own = fault.message.replace(/ \(\d+:\d+\)$/, "");
  const message = REWORDED.get(own)?.(code, fault.offset) ?? `SyntaxError: ${own}`;
  const hint = javascriptHintFor(code, fault.offset);
  return { message, offset: fault.offset, ...(hint !== undefined && { hint }) };
}

function unexpectedToken(code: string, offset: number): string {
  const token = /^(?:[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]{0,39}|\d[\w.]{0,39}|\S)/u.exec(
    code.slice(offset, offset + 80),
  )?.[0];
  return token === undefined ? "Unexpected end of input" : `Unexpected token ${JSON.stringify(token)}`;
}
