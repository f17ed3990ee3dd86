import type * as acornModule from "acorn";
import type { AnyNode, Expression, Options, Program, Statement } from "acorn";
import { CELL_WRAPPER } from "@codemode/protocol";
import { NESTED_TOO_DEEPLY, describeSyntaxError, type SyntaxFault } from "./syntax-error.js";
import type { SourceProblem } from "./source-error.js";
import { MAX_NESTING, walkTree } from "./walk-tree.js";

type Acorn = typeof acornModule;

/** A source as a tree. All offsets are those of the parsed text. */
export interface ParsedSource {
  readonly code: string;
  readonly nodes: readonly AnyNode[];
  /** Statements of the body. */
  readonly statements: readonly Statement[];
  /** Set instead of statements: the source is one nameless `function` expression, which is not a statement. */
  readonly wholeFunction?: AnyNode;
}

export type ParseOutcome = { readonly parsed: ParsedSource } | { readonly problem: SourceProblem };

/** What stands around the source when it is parsed; `body` is what the engine evaluates. */
const WRAPPERS = {
  body: CELL_WRAPPER,
  expression: { ...CELL_WRAPPER, before: `${CELL_WRAPPER.before}void ` },
} as const;

// `import` and `export` are allowed everywhere here, so that module access is found in the tree.
const OPTIONS: Options = {
  ecmaVersion: "latest",
  sourceType: "script",
  strict: true,
  preserveParens: true,
  allowImportExportEverywhere: true,
};

/** Loads the parser. */
export async function loadParser(): Promise<(code: string) => ParseOutcome> {
  const acorn = await import("acorn");
  return (code) => parseSource(acorn, code);
}

/** Parses JavaScript exactly as the engine will: as the body of a strict async function in a script. */
function parseSource(acorn: Acorn, code: string): ParseOutcome {
  const body = parseBody(acorn, code);
  if (!("fault" in body)) return toParsed({ code, roots: body, statements: body, shift: WRAPPERS.body.before.length });
  const whole = parseWholeFunction(acorn, code);
  if (whole === undefined) return { problem: describeSyntaxError(code, body.fault) };
  const shift = WRAPPERS.expression.before.length;
  return toParsed({ code, roots: [whole], statements: [], wholeFunction: whole, shift });
}

function toParsed(tree: Omit<ParsedSource, "nodes"> & { roots: readonly AnyNode[]; shift: number }): ParseOutcome {
  const { roots, shift, ...source } = tree;
  const { nodes, tooDeep } = walkTree(roots, shift);
  if (tooDeep === undefined) return { parsed: { ...source, nodes } };
  return { problem: { message: `${NESTED_TOO_DEEPLY}, beyond ${MAX_NESTING} levels`, offset: tooDeep.start } };
}

function parseBody(acorn: Acorn, code: string): readonly Statement[] | { fault: SyntaxFault } {
  const { before, after } = WRAPPERS.body;
  const program = parse(acorn, before + code + after);
  const statements = "fault" in program ? undefined : statementsOf(program, before.length + code.length + after.length);
  if (statements !== undefined) return statements;
  // The source alone tells where it closes the wrapper, and that it ends too early.
  const alone = parse(acorn, code, { allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true });
  const faults = [program, alone].flatMap((outcome) => ("fault" in outcome ? [outcome.fault] : []));
  const [wrapped] = faults;
  if ("fault" in program && wrapped !== undefined) faults[0] = { ...wrapped, offset: wrapped.offset - before.length };
  const inside = faults.filter((fault) => fault.offset <= code.length).sort((a, b) => a.offset - b.offset);
  return { fault: inside[0] ?? { message: "Unexpected token", offset: code.length } };
}

/** Statements of the wrapper's function, if the program is that function and nothing else. */
function statementsOf(program: Program, length: number): readonly Statement[] | undefined {
  const expression = onlyExpression(program);
  if (expression?.type !== "ParenthesizedExpression" || expression.end !== length) return undefined;
  const wrapper = expression.expression;
  return wrapper.type === "FunctionExpression" && wrapper.end === length - 1 ? wrapper.body.body : undefined;
}

function parseWholeFunction(acorn: Acorn, code: string): AnyNode | undefined {
  const { before, after } = WRAPPERS.expression;
  const program = parse(acorn, before + code + after);
  if ("fault" in program) return undefined;
  const [first, ...others] = statementsOf(program, before.length + code.length + after.length) ?? [];
  if (others.some((statement) => statement.type !== "EmptyStatement")) return undefined;
  const operation = first?.type === "ExpressionStatement" ? first.expression : undefined;
  const value = operation?.type === "UnaryExpression" ? operation.argument : undefined;
  return value?.type === "FunctionExpression" ? value : undefined;
}

function onlyExpression(program: Program): Expression | undefined {
  const [statement] = program.body;
  return program.body.length === 1 && statement?.type === "ExpressionStatement" ? statement.expression : undefined;
}

function parse(acorn: Acorn, text: string, options: Partial<Options> = {}): Program | { fault: SyntaxFault } {
  try {
    return acorn.parse(text, { ...OPTIONS, ...options });
  } catch (error) {
    if (error instanceof SyntaxError && "pos" in error && typeof error.pos === "number") {
      return { fault: { message: error.message, offset: error.pos } };
    }
    throw error;
  }
}
