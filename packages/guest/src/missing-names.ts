import {
  ProxyConstructor,
  SYMBOL_TO_PRIMITIVE,
  TypeErrorConstructor,
  createObject,
  freeze,
  hasOwn,
  stringifyJson,
  textStartsWith,
} from "./primordials.js";
import { closestName } from "./closest-name.js";

/** What the language and serialisers ask of any object; never a function of a server. */
const ASKED_OF_ANY_OBJECT = {
  then: true,
  catch: true,
  finally: true,
  toJSON: true,
  toString: true,
  toLocaleString: true,
  valueOf: true,
  constructor: true,
  prototype: true,
  hasOwnProperty: true,
  isPrototypeOf: true,
  propertyIsEnumerable: true,
  inspect: true,
} as const;

/**
 * The prototype of an object of the prelude's: reading a name the object does not have throws a TypeError that `explain`
 * words, so that a wrong name fails where it is read and says which one is right. Nothing is hidden: `in` and
 * `Object.keys` answer as ever. As text the object is `[object <path>]`.
 */
export function createMissingNames(path: string, explain: (name: string) => string): object {
  const traps = createObject(null) as ProxyHandler<object>;
  traps.get = (_target, key) => {
    if (key === SYMBOL_TO_PRIMITIVE) return () => `[object ${path}]`;
    if (typeof key !== "string" || textStartsWith(key, "__") || hasOwn(ASKED_OF_ANY_OBJECT, key)) return undefined;
    throw new TypeErrorConstructor(explain(key));
  };
  return new ProxyConstructor(freeze(createObject(null) as object), freeze(traps));
}

/** Words for a member that is missing at `path`: the nearest one there is, else `otherwise`. */
export function missingText(
  { path, members, otherwise }: { path: string; members: readonly PropertyKey[]; otherwise: string },
  name: string,
): string {
  const near = closestName(name, members);
  return `${path} has no ${stringifyJson(name)}. ${near === undefined ? otherwise : `Did you mean ${path}.${near}?`}`;
}
