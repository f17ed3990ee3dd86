import type { AnyNode, Expression } from "acorn";
import type { ParsedSource } from "./parse-source.js";
import type { SourceProblem } from "./source-error.js";

/** Programs whose name at the head of a line makes it a command line. */
const COMMANDS: ReadonlySet<string> = new Set(
  (
    "apt apt-get awk bash brew bun cargo cat cd chmod chown cp curl cut date deno df diff dir docker du echo env find " +
    "gcc git go grep gunzip gzip head id jq kill kubectl less ln ls make man mkdir more mv node npm npx pip pip3 pnpm " +
    "printf ps pwd python python3 rg rm rmdir rsync scp sed sh sleep sort source ssh sudo tail tar tee touch tree tsc " +
    "uname uniq unzip wc wget which whoami xargs yarn zip zsh"
  ).split(" "),
);

/** After a command: the end, an operator of the shell, or white space and an argument, which is no JavaScript operator. */
const COMMAND_REST = /^(?:$|[;|&<>]|[ \t]+(?![=(?:,+]|(?:in|instanceof|of)\b))/;

/** Lines that only a shell understands, whatever the program is: `#!/bin/sh`, `$ cmd`, `./cmd`, `A=b cmd`, `export A=b`. */
const SHELL_LINES: readonly RegExp[] = [
  /^#!.*\b(?:ba|z|da|k)?sh\b/,
  /^\$ +[\w./~-]/,
  /^\.{1,2}\/[\w./-]+(?:\s|$)/,
  /^[A-Z_][A-Z0-9_]*=\S* +[\w./-]+/,
  /^export [A-Za-z_]\w*=/,
];

/** What a command line consists of when it happens to parse as JavaScript, such as `ls -la | wc -l`. */
const COMMAND_NODES: ReadonlySet<string> = new Set([
  "ExpressionStatement",
  "EmptyStatement",
  "BinaryExpression",
  "LogicalExpression",
  "UnaryExpression",
  "SequenceExpression",
  "MemberExpression",
  "Identifier",
  "Literal",
]);

/** Offset of shell text in a text that does not parse: its first line that is neither blank nor a `#` comment. */
export function findShellLine(text: string): number | undefined {
  const offset = /^(?:[ \t]*(?:#(?!!)[^\n]*)?\r?\n)*[ \t]*/.exec(text)?.[0].length ?? 0;
  const command = lineAt(text, offset);
  const head = /^[\w-]+/.exec(command)?.[0] ?? "";
  const isCommand = COMMANDS.has(head) && COMMAND_REST.test(command.slice(head.length));
  return isCommand || SHELL_LINES.some((pattern) => pattern.test(command)) ? offset : undefined;
}

/**
 * Offset of shell text in a source that parses: nothing but operators between names and literals, and the head is a
 * command that the source does not declare. A call, an assignment or a declaration anywhere makes it JavaScript.
 */
export function findShellExpression({ nodes, statements }: ParsedSource): number | undefined {
  const first = statements.find((statement) => statement.type !== "EmptyStatement");
  if (first?.type !== "ExpressionStatement" || !nodes.every((node) => COMMAND_NODES.has(node.type))) return undefined;
  const head = leftmost(first.expression);
  return head.type === "Identifier" && COMMANDS.has(head.name) ? first.start : undefined;
}

/** `offset` is that of the shell text in the submitted text. */
export function shellProblem(text: string, offset: number): SourceProblem {
  const command = lineAt(text, offset);
  const shown = command.length <= 60 ? command : `${command.slice(0, 59)}…`;
  return {
    message: `code mode runs JavaScript, not shell commands. Found ${JSON.stringify(shown)}`,
    offset,
    hint: 'Call a tool instead, as in `return await tool_name({ key: "value" })`; find one with `await catalog.search(query)`.',
  };
}

function leftmost(expression: Expression): AnyNode {
  let node: AnyNode = expression;
  for (;;) {
    if (node.type === "SequenceExpression" && node.expressions[0] !== undefined) node = node.expressions[0];
    else if (node.type === "BinaryExpression" || node.type === "LogicalExpression") node = node.left;
    else return node;
  }
}

function lineAt(text: string, offset: number): string {
  return /^[^\r\n]*/.exec(text.slice(offset))?.[0].trimEnd() ?? "";
}
