import { DEFAULT_MAX_SOURCE_BYTES, type CellLanguage, type PreparedSource } from "@codemode/protocol";
import { applyEdits } from "./edits.js";
import { separatorEdits, withoutLoneCarriageReturns } from "./engine-newlines.js";
import { blankFence } from "./markdown-fence.js";
import { findModuleAccess, moduleAccessProblem } from "./module-access.js";
import { loadParser } from "./parse-source.js";
import { locationOf, offsetInSubmitted } from "./positions.js";
import { findShellExpression, findShellLine, shellProblem } from "./shell-text.js";
import { applyForm } from "./source-form.js";
import { toSourceError, type SourceError, type SourceProblem } from "./source-error.js";
import { compileTypeScript } from "./typescript.js";

export interface PrepareOptions {
  readonly language: CellLanguage;
  /** Longest source, in UTF-8 bytes. Default 256 KiB. */
  readonly maxSourceBytes?: number;
}

/**
 * Checks a cell's source and turns it into the body of a strict async function that returns its result.
 *
 * Untrusted: any text may come in; each ends as a prepared source or as a `SourceError`. Only a TypeScript cell loads
 * the compiler. What it refuses is documented in the README.
 *
 * @throws {SourceError} `invalid_input` with line and column where they are known.
 */
export async function prepareSource(source: string, options: PrepareOptions): Promise<PreparedSource> {
  assertSize(source, options.maxSourceBytes ?? DEFAULT_MAX_SOURCE_BYTES);
  const text = blankFence(source);
  const base = options.language === "typescript" ? await compile(source, text) : { code: text };
  const code = withoutLoneCarriageReturns(base.code);
  const plain: PreparedSource = { ...base, language: options.language, submitted: source, code, insertions: [] };
  const refuse = (problem: SourceProblem): SourceError => {
    const offset = problem.offset === undefined ? undefined : offsetInSubmitted(plain, problem.offset);
    return sourceErrorAt(source, { ...problem, offset });
  };

  const parse = await loadParser();
  const outcome = parse(code);
  if ("problem" in outcome) throw shellErrorIn(source, text) ?? refuse(outcome.problem);
  const { parsed } = outcome;
  const form = applyForm(parsed);
  const access = findModuleAccess(parsed, form.accepted);
  if (access !== undefined) throw refuse(moduleAccessProblem(access));
  const shell = findShellExpression(parsed);
  if (shell !== undefined) throw sourceErrorAt(source, shellProblem(source, offsetInSubmitted(plain, shell) ?? 0));
  const lines = applyEdits(code, separatorEdits(code, parsed.nodes)).code;
  return { ...plain, ...applyEdits(lines, form.edits) };
}

async function compile(source: string, text: string): Promise<{ code: string; sourceMap: string }> {
  const result = await compileTypeScript(text);
  if ("compiled" in result) return result.compiled;
  throw shellErrorIn(source, text) ?? sourceErrorAt(source, result.problem);
}

/** For a text that does not parse; `text` is the source without its fence, at the same offsets. */
function shellErrorIn(source: string, text: string): SourceError | undefined {
  const offset = findShellLine(text);
  return offset === undefined ? undefined : sourceErrorAt(source, shellProblem(text, offset));
}

/** The problem's offset is one of the submitted text. */
function sourceErrorAt(source: string, problem: SourceProblem): SourceError {
  return toSourceError(problem, problem.offset === undefined ? undefined : locationOf(source, problem.offset));
}

function assertSize(source: string, maxBytes: number): void {
  // A UTF-16 unit takes at most 3 bytes, so most sources need no encoding.
  if (source.length * 3 <= maxBytes) return;
  const { length: bytes } = new TextEncoder().encode(source);
  if (bytes <= maxBytes) return;
  throw toSourceError({
    message: `The source is longer than ${maxBytes} bytes, it has ${bytes}`,
    hint: "Send a shorter program; let it read large data through tools instead of holding it.",
  });
}
