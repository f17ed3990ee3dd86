import type { SourceLocation } from "@codemode/protocol";

const BRAND = Symbol.for("@codemode/source-error");

/** Why a source is refused, at an offset (UTF-16) of the text that was checked. */
export interface SourceProblem {
  readonly message: string;
  readonly offset?: number | undefined;
  /** What to do instead; full sentences. */
  readonly hint?: string;
}

/**
 * A cell's source cannot be run: too long, not a program, or it asks for modules. The model's fault, not the host's:
 * it becomes a `failed` result. `line` and `column` refer to the submitted text, 1-based, columns in UTF-16 units.
 *
 * `isInstance` works across duplicate copies of this package, `instanceof` does not.
 */
export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly code = "invalid_input";
  readonly line?: number;
  readonly column?: number;
  readonly [BRAND] = true;

  constructor(message: string, location?: SourceLocation) {
    super(message);
    if (location === undefined) return;
    this.line = location.line;
    this.column = location.column;
  }

  static isInstance(value: unknown): value is SourceError {
    return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
  }
}

/** "message (line 1, column 2). hint" */
export function toSourceError(problem: SourceProblem, location?: SourceLocation): SourceError {
  const place = location === undefined ? "" : ` (line ${location.line}, column ${location.column})`;
  const hint = problem.hint === undefined ? "" : `. ${problem.hint}`;
  return new SourceError(`${problem.message}${place}${hint}`, location);
}
