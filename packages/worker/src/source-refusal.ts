import type { CodeModeErrorCode, SourceLocation } from "@codemode/protocol";
import { SourceError } from "@codemode/transform";

/** Why a source cannot be run, as data. */
export interface SourceRefusal {
  readonly message: string;
  readonly code: CodeModeErrorCode;
  readonly location?: SourceLocation;
}

/** The refusal that a thrown value is; undefined for every other error. */
export function readSourceRefusal(error: unknown): SourceRefusal | undefined {
  if (!SourceError.isInstance(error)) return undefined;
  const { message, code, line, column } = error;
  return { message, code, ...(line === undefined || column === undefined ? {} : { location: { line, column } }) };
}
