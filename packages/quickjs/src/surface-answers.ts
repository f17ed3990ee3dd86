import type { GuestSurface, GuestTool } from "@codemode/protocol";
import { malformed, textField, type Fields } from "./library/library-request.js";

/** Longest path a guest may ask for, in UTF-16 units; longer ones are of no file. */
const MAX_PATH_CHARS = 65_536;

/**
 * Answers what the prelude asks of its surface: rows of tools, names, declaration files. Undefined for other questions.
 *
 * @throws {CodeModeError} `malformed_message` for a question of unknown shape.
 */
export function surfaceAnswer(fields: Fields, { tools, apiFiles }: GuestSurface): unknown {
  switch (fields["ask"]) {
    case "tools":
      return bindingsOf(fields).flatMap((binding) => tools[binding] ?? []);
    case "global-tools":
      return tools.filter(isGlobal);
    case "global-names":
      return tools.filter(isGlobal).map(({ callableName }) => callableName);
    case "files":
      return apiFiles.map(({ path, description, bytes }) => ({ path, description, bytes }));
    case "file": {
      const path = textField(fields, "path", MAX_PATH_CHARS);
      return apiFiles.find((file) => file.path === path)?.content ?? null;
    }
    default:
      return undefined;
  }
}

/** What a VM is told of its surface when it is made: what its globals are named and call. */
export function installedPart({ tools, mcp }: GuestSurface): string {
  const globals = tools.filter(isGlobal).map(({ binding, callableName }) => `${binding} ${callableName}\n`);
  return JSON.stringify({ globals: globals.join(""), mcp });
}

function isGlobal(tool: GuestTool): boolean {
  return tool.isGlobal;
}

function bindingsOf(fields: Fields): readonly number[] {
  const bindings = fields["bindings"];
  const isList = Array.isArray(bindings) && bindings.every((binding) => Number.isInteger(binding) && binding >= 0);
  if (!isList) throw malformed("bindings");
  return bindings as readonly number[];
}
