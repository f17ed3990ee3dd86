import { CodeModeError } from "@codemode/protocol";

/** The error for bytes that cannot be restored. */
export function incompatible(reason: string): CodeModeError<"snapshot_incompatible"> {
  return new CodeModeError("snapshot_incompatible", `The snapshot cannot be restored: ${reason}.`, { reason });
}
