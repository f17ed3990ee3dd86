import type { ErrorCode, ErrorDetails } from "./error-codes.js";

const BRAND = Symbol.for("@codemode/error");

/**
 * The one error thrown at hosts. Switch on `code`; the message is for people.
 *
 * `isInstance` works across duplicate copies of this package, `instanceof` does not.
 */
export class CodeModeError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "CodeModeError";
  readonly code: Code;
  readonly details: ErrorDetails[Code];
  readonly [BRAND] = true;

  constructor(code: Code, message: string, details: ErrorDetails[Code], options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.details = details;
  }

  static isInstance(value: unknown): value is CodeModeError {
    try {
      return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
    } catch {
      // A proxy that cannot be read is not ours.
      return false;
    }
  }
}
