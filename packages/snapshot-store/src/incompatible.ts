import { CodeModeError } from "@codemode/protocol";

/** The error for bytes that cannot be restored. */
export function incompatible(reason: string, cause?: unknown): CodeModeError<"snapshot_incompatible"> {
  const message = `The snapshot cannot be restored: ${reason}.`;
  return new CodeModeError("snapshot_incompatible", message, { reason }, cause === undefined ? undefined : { cause });
}
