import type { GuestFunction, GuestGroup, GuestNamespace } from "@codemode/protocol";
import type { Callables } from "./callables.js";
import { createMissingNames, missingText } from "./missing-names.js";
import { createNamespaceApi, type NamespaceApiParts } from "./namespace-api.js";
import { VISIBLE, createObject, define, freeze, keysOf } from "./primordials.js";

const ROOT = "MCP";
const MAX_NAMED = 20;

export interface NamespaceParts extends NamespaceApiParts {
  readonly callables: Callables;
}

/**
 * The frozen tree `MCP.<namespace>.<function>`. What is not in it throws where it is read; `then` and `toJSON` do not.
 */
export function createNamespaceRoot(namespaces: readonly GuestNamespace[], parts: NamespaceParts): object {
  const root = createMembers(ROOT, (names) =>
    names.length === 0 ? "No server is connected." : `There is ${listOf(ROOT, names)}.`,
  );
  for (let index = 0; index < namespaces.length; index++) {
    const namespace = namespaces[index] as GuestNamespace;
    defineUnderAll(root, namespace.name, namespace.aliases, createNamespace(namespace, parts));
  }
  return freeze(root);
}

function createNamespace({ name, functions, groups }: GuestNamespace, parts: NamespaceParts): object {
  const path = `${ROOT}.${name}`;
  const namespace = createGroup(path, functions, parts.callables, "mcp");
  for (let index = 0; groups !== undefined && index < groups.length; index++) {
    const group = groups[index] as GuestGroup;
    const members = createGroup(`${path}.${group.name}`, group.functions, parts.callables, "tool");
    define(namespace, group.name, freeze(members), VISIBLE);
  }
  const functionNames = (): readonly string[] => keysOf(namespace);
  define(namespace, "$api", createNamespaceApi({ name, path, functionNames }, parts));
  return freeze(namespace);
}

function createGroup(
  path: string,
  functions: readonly GuestFunction[],
  callables: Callables,
  kind: "mcp" | "tool",
): object {
  const group = createMembers(path, (names) =>
    names.length === 0 ? "It has no functions." : `Object.keys(${path}) names its functions.`,
  );
  for (let index = 0; index < functions.length; index++) {
    const item = functions[index] as GuestFunction;
    const callable = callables.functionFor(item.binding, `${path}.${item.name}`, kind);
    defineUnderAll(group, item.name, item.aliases, callable);
  }
  return group;
}

/** An empty object whose missing members are explained by its names at that time. */
function createMembers(path: string, explain: (names: readonly string[]) => string): object {
  const members: object = createObject(
    createMissingNames(path, (name) => {
      const names = keysOf(members);
      return missingText({ path, members: names, otherwise: explain(names) }, name);
    }),
  ) as object;
  return members;
}

function listOf(path: string, names: readonly string[]): string {
  let text = "";
  const shown = names.length > MAX_NAMED ? MAX_NAMED : names.length;
  for (let index = 0; index < shown; index++) text += `${index === 0 ? "" : ", "}${path}.${names[index] as string}`;
  return names.length > shown ? `${text} and ${names.length - shown} more` : text;
}

function defineUnderAll(target: object, name: string, aliases: readonly string[], value: unknown): void {
  define(target, name, value, VISIBLE);
  for (let index = 0; index < aliases.length; index++) define(target, aliases[index] as string, value);
}
