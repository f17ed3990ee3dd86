import type { GuestFunction, GuestNamespace } from "@codemode/protocol";
import type { Callables } from "./callables.js";
import { VISIBLE, createObject, define, freeze } from "./primordials.js";

/** A frozen tree `root.<namespace>.<function>`, without prototype: `then` and `toJSON` find nothing. */
export function createNamespaceRoot(
  rootName: string,
  namespaces: readonly GuestNamespace[],
  callables: Callables,
): object {
  const root = createObject(null) as object;
  for (let index = 0; index < namespaces.length; index++) {
    const namespace = namespaces[index] as GuestNamespace;
    const group = createGroup(`${rootName}.${namespace.name}`, namespace.functions, callables);
    defineUnderAll(root, namespace.name, namespace.aliases, group);
  }
  return freeze(root);
}

function createGroup(path: string, functions: readonly GuestFunction[], callables: Callables): object {
  const group = createObject(null) as object;
  for (let index = 0; index < functions.length; index++) {
    const item = functions[index] as GuestFunction;
    const callable = callables.functionFor(item.binding, `${path}.${item.name}`);
    defineUnderAll(group, item.name, item.aliases, freeze(callable));
  }
  return freeze(group);
}

function defineUnderAll(target: object, name: string, aliases: readonly string[], value: unknown): void {
  define(target, name, value, VISIBLE);
  for (let index = 0; index < aliases.length; index++) define(target, aliases[index] as string, value);
}
