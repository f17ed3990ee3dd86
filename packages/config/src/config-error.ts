import { CodeModeError } from "@codemode/protocol";

/** A configuration that cannot be used; `details.path` names the field. */
export class ConfigError extends CodeModeError<"invalid_argument"> {
  constructor(path: string, problem: string) {
    super("invalid_argument", `${path}: ${problem}`, { path, problem });
  }
}
