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

/** Marks of TypeScript in a source that failed as JavaScript: the text up to the fault, and from the fault on. */
const TYPESCRIPT_MARKS: readonly { readonly before: RegExp; readonly at: RegExp }[] = [
  // a type annotation: `const n: number`, `(x: T)`, `f(): void`, `x?: T`
  { before: /[\w$)\]}]\s*\??$/, at: /^\s*\??\s*:/ },
  // an assertion or heritage clause: `x as T`, `x satisfies T`, `class A implements B`
  { before: /[\w$)\]}"'`]\s*$/, at: /^\s*(?:as|satisfies|implements)\b/ },
  // a declaration: `interface A`, `type A =`, `enum A`, `namespace A`, `declare const`, `abstract class`
  { before: /(?:^|[\s;}])(?:interface|type|enum|namespace|module|declare|abstract)\s+$/, at: /^[\w$]/ },
  { before: /(?:^|[\s;}])$/, at: /^(?:interface|enum|abstract)\s+[\w$]/ },
  // a member modifier: `private x`, `constructor(readonly x)`
  { before: /(?:^|[\s;{(,])$/, at: /^(?:private|public|protected|readonly)\s+[\w$]/ },
  { before: /(?:^|[\s;{(,])(?:private|public|protected|readonly|declare|abstract|override)\s+$/, at: /^[\w$[*]/ },
  // type parameters and arguments: `function id<T>(x: T)`, `<T>(x) =>`, `new Map<string, number>()`
  { before: /[\w$=(,]\s*$/, at: /^<[\w$]/ },
  { before: />\($/, at: /^\)/ },
  // a non-null assertion: `x!.y`
  { before: /[\w$)\]]$/, at: /^!(?!=)/ },
];

/** Turns a parser's error into what a model reads, with a hint where the source is not JavaScript at all. */
export function describeSyntaxError(code: string, fault: SyntaxFault): SourceProblem {
  const own = fault.message.replace(/ \(\d+:\d+\)$/, "");
  const message = REWORDED.get(own)?.(code, fault.offset) ?? `SyntaxError: ${own}`;
  const hint = hintFor(code, fault.offset);
  return { message, offset: fault.offset, ...(hint !== undefined && { hint }) };
}

function hintFor(code: string, offset: number): string | undefined {
  if (isArgumentsObject(code)) return "This is a JSON object: send the program itself as code.";
  const before = code.slice(Math.max(0, offset - 100), offset);
  const rest = code.slice(offset, offset + 100);
  const isTypeScript = TYPESCRIPT_MARKS.some((mark) => mark.before.test(before) && mark.at.test(rest));
  return isTypeScript ? 'This looks like TypeScript: set language to "typescript".' : undefined;
}

/** Whether the source is the JSON of a tool call instead of a program. */
function isArgumentsObject(code: string): boolean {
  if (!code.trimStart().startsWith("{")) return false;
  try {
    const value = JSON.parse(code) as { code?: unknown; command?: unknown };
    return typeof value.code === "string" || typeof value.command === "string";
  } catch {
    return false;
  }
}

function unexpectedToken(code: string, offset: number): string {
  const token = /^(?:[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]{0,39}|\d[\w.]{0,39}|\S)/u.exec(
    code.slice(offset, offset + 80),
  )?.[0];
  return token === undefined ? "Unexpected end of input" : `Unexpected token ${JSON.stringify(token)}`;
}
