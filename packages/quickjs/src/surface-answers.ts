import type { GuestSurface, GuestTool } from "@codemode/protocol";
import { malformed, textField, type Fields } from "./library/library-request.js";

/** Longest path a guest may ask for, in UTF-16 units; longer ones are of no file. */
const MAX_PATH_CHARS = 65_536;

/**
 * Answers what the prelude asks of its surface: rows of tools, names, declaration files. Undefined for other questions.
 *
 * @throws {CodeModeError} `malformed_message` for a question of unknown shape.
 */
export function surfaceAnswer(fields: Fields, { tools, mcp, apiFiles }: GuestSurface): unknown {
  switch (fields["ask"]) {
    case "tools":
      return bindingsOf(fields).flatMap((binding) => tools[binding] ?? []);
    case "global-tools":
      return tools.filter(isGlobal);
    case "global-names":
      return tools.filter(isGlobal).map(({ callableName }) => callableName);
    case "callable-name": {
      const binding = fields["binding"];
      return tools.find((tool) => tool.binding === binding)?.callableName ?? memberPath(mcp, binding) ?? "";
    }
    case "declarations": {
      const path = `mcp/${textField(fields, "namespace", MAX_PATH_CHARS)}.d.ts`;
      return { path, header: apiFiles.find((file) => file.path === path)?.content ?? "" };
    }
    case "function": {
      const [namespace, name] = [
        textField(fields, "namespace", MAX_PATH_CHARS),
        textField(fields, "name", MAX_PATH_CHARS),
      ];
      const functions = mcp.find((one) => one.name === namespace)?.functions ?? [];
      return functions.find((one) => one.name === name || one.aliases.includes(name))?.binding ?? null;
    }
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

/** `MCP.<namespace>.<function>` of a binding. */
function memberPath(namespaces: GuestSurface["mcp"], binding: unknown): string | undefined {
  for (const { name, functions, groups = [] } of namespaces) {
    for (const group of [
      { path: name, functions },
      ...groups.map((one) => ({ path: `${name}.${one.name}`, ...one })),
    ]) {
      const found = group.functions.find((one) => one.binding === binding);
      if (found !== undefined) return `MCP.${group.path}.${found.name}`;
    }
  }
  return undefined;
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
