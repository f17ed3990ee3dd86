import { commentLine, quote, renderTypeDeclaration, type TypeDeclaration } from "@codemode/json-schema";
import type { McpToolDescriptor } from "@codemode/protocol";
import { docComment } from "./doc-comment.js";
import type { McpFunctionPlan } from "./plan.js";

const INDENT = 2;
const MAX_INPUT_CHARS = 16_000;
const MAX_OUTPUT_CHARS = 8_000;

export interface RenderedFunction {
  /** With the indentation of a namespace member. */
  readonly text: string;
  readonly problems: readonly string[];
}

/** Work that may still be spent on a server's schemas, in the units of `renderTypeDeclaration`. */
export interface RenderBudget {
  left: number;
}

/** The declaration of one function. A schema that cannot be used leaves its type `unknown`, with a problem. */
export function renderFunction(plan: McpFunctionPlan, budget: RenderBudget): RenderedFunction {
  const input = renderInput(plan.tool, budget);
  const output = renderOutput(plan.tool, budget);
  const lines = [
    ...docComment({
      description: typeof plan.tool.description === "string" ? plan.tool.description : "",
      notes: nameNote(plan),
      parameters: input.outermost,
    }),
    `function ${plan.name}(${input.parameter}): Promise<${output.result}>;`,
  ];
  return { text: indented(lines), problems: [...input.problems, ...output.problems] };
}

/** Work for a function that is rendered alone. */
const ALONE = 20_000;

/** The declaration of one function, as the server's file has it but without its indentation. */
export function renderFunctionDeclaration(plan: McpFunctionPlan): string {
  const { text } = renderFunction(plan, { left: ALONE });
  return text.replaceAll(/^ {2}/gm, "");
}

/** The same without comment and types, for files that have become too large. */
export function renderBareFunction(plan: McpFunctionPlan): string {
  return indented([`function ${plan.name}(input?: { [key: string]: unknown }): Promise<McpToolResult>;`]);
}

function nameNote(plan: McpFunctionPlan): readonly string[] {
  return plan.tool.name === plan.name ? [] : [`Tool name: ${commentLine(quote(plan.tool.name), 140)}`];
}

interface RenderedInput {
  readonly parameter: string;
  readonly problems: readonly string[];
  readonly outermost: TypeDeclaration["outermost"];
}

function renderInput(tool: McpToolDescriptor, budget: RenderBudget): RenderedInput {
  const declaration = renderTypeDeclaration(tool.inputSchema, {
    indent: INDENT,
    maxChars: MAX_INPUT_CHARS,
    defaultsAreOptional: true,
    describesOutermost: false,
    budget,
  });
  const { problems, outermost } = declaration;
  if (!declaration.acceptsObjects) {
    const problem = "The input schema accepts no object; the input is declared as unknown.";
    return { parameter: "input?: unknown", problems: [...problems, problem], outermost: [] };
  }
  const saysNothing = declaration.text === "unknown" && problems.length === 0;
  const type = saysNothing ? "{ [key: string]: unknown }" : declaration.text;
  return { parameter: `input${declaration.acceptsEmptyObject ? "?" : ""}: ${type}`, problems, outermost };
}

/** A declared output types `structuredContent`; one that cannot be used says nothing. */
function renderOutput(
  tool: McpToolDescriptor,
  budget: RenderBudget,
): { readonly result: string; readonly problems: readonly string[] } {
  if (tool.outputSchema === undefined) return { result: "McpToolResult", problems: [] };
  const { text, problems } = renderTypeDeclaration(tool.outputSchema, {
    indent: INDENT,
    maxChars: MAX_OUTPUT_CHARS,
    budget,
  });
  const result = text === "unknown" ? "McpToolResult" : `McpToolResult<${text}>`;
  return { result, problems: problems.map((problem) => `Output: ${problem}`) };
}

/** Only first lines of members are indented here; types come with the indentation of their further lines. */
function indented(lines: readonly string[]): string {
  return lines.map((line) => " ".repeat(INDENT) + line).join("\n");
}
