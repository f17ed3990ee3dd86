/** Text around the place where a source failed to parse. */
interface Faulty {
  readonly code: string;
  /** The text up to the fault, and from the fault on; at most 100 units each. */
  readonly before: string;
  readonly rest: string;
}

interface Hint {
  readonly text: string;
  fits(faulty: Faulty): boolean;
}

const CONTEXT = 100;

/** Lines that only Python understands. */
const PYTHON_LINES: readonly RegExp[] = [
  /^[ \t]*(?:async )?def \w+\(.*\).*:[ \t]*(?:#.*)?$/m,
  /^[ \t]*(?:if|elif|for|while|with|except)[ \t]+[^{}\n]+:[ \t]*(?:#.*)?$/m,
  /^import [\w.]+(?: as \w+)?$/m,
  /^from [\w.]+ import .*$/m,
];

/** What a source that does not parse probably is, and what to send instead. The first that fits is given. */
const HINTS: readonly Hint[] = [
  {
    // {"code": "return 1"}
    text: "This is a JSON object: send the program itself as code.",
    fits: ({ code }) => isArgumentsObject(code),
  },
  {
    // {"name": "add", "arguments": {"a": 1}}
    text: "This is the JSON of a tool call: call the tool in a program, such as return await add({ a: 1 });",
    fits: ({ code }) => isToolCall(code),
  },
  {
    // Here is the program:  ```js …
    text: "Send the program alone, without text around its code fence.",
    fits: ({ code }) => /^[ \t]*(?:```|~~~)/m.test(code),
  },
  {
    // def main():     import json     for x in xs:
    text: "This looks like Python: write JavaScript.",
    fits: ({ code }) => PYTHON_LINES.some((line) => line.test(code)),
  },
  {
    // rows.map((row) => await load(row))
    text: "await is allowed only in async functions: mark the function around it as async.",
    fits: ({ before, rest }) => /(?<![\w$.])await\s+$/.test(before) && /^[\w$("'`[]/.test(rest),
  },
  {
    // const sum = 1;  { sum, count: 2 }
    text: "To give back an object, write return { … }.",
    fits: ({ before, rest }) => /(?:^|[;}\n])\s*\{[^{};]*,\s*[\w$"']+\s*$/.test(before) && /^\s*:/.test(rest),
  },
];

const TYPESCRIPT_HINT: Hint = {
  text: 'This looks like TypeScript: set language to "typescript".',
  fits: ({ before, rest }) => TYPESCRIPT_MARKS.some((mark) => mark.before.test(before) && mark.at.test(rest)),
};

/** A hint for a source of either language. */
export function hintFor(code: string, offset: number): string | undefined {
  return firstFitting(HINTS, code, offset);
}

/** A hint for a source that was sent as JavaScript. */
export function javascriptHintFor(code: string, offset: number): string | undefined {
  return firstFitting([...HINTS, TYPESCRIPT_HINT], code, offset);
}

function firstFitting(hints: readonly Hint[], code: string, offset: number): string | undefined {
  const before = code.slice(Math.max(0, offset - CONTEXT), offset);
  const rest = code.slice(offset, offset + CONTEXT);
  return hints.find((hint) => hint.fits({ code, before, rest }))?.text;
}

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

/** Whether the source is the JSON of exec's own input. */
function isArgumentsObject(code: string): boolean {
  const { code: program, command } = jsonObjectOf(code);
  return typeof program === "string" || typeof command === "string";
}

/** Whether the source is a call of another tool in one of the forms that providers use. */
function isToolCall(code: string): boolean {
  const { name, tool, function: called, arguments: given, input, parameters } = jsonObjectOf(code);
  const hasInput = [given, input, parameters].some((one) => one !== undefined);
  return typeof tool === "string" || (typeof name === "string" && hasInput) || typeof called === "object";
}

/** Fields of a source that is one JSON object; of any other none. */
function jsonObjectOf(code: string): Readonly<Record<string, unknown>> {
  if (!code.trimStart().startsWith("{")) return {};
  try {
    return JSON.parse(code) as Record<string, unknown>;
  } catch {
    return {};
  }
}
