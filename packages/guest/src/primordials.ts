// Invariant: everything the prelude uses after a cell has started was captured here first, so that a cell that replaces
// globals or prototype members changes nothing in the prelude. Reflect.apply is captured once and carries every call.

export const { apply, defineProperty, deleteProperty } = Reflect;
export const { freeze, create: createObject, hasOwn } = Object;
export const { parse: parseJson, stringify: stringifyJson } = JSON;
export const { isArray } = Array;
export const PromiseConstructor = Promise;
export const ErrorConstructor = Error;
export const TypeErrorConstructor = TypeError;
export const MapConstructor = Map;
export const WeakSetConstructor = WeakSet;
export const WeakMapConstructor = WeakMap;

const { get, set, delete: remove, forEach } = Map.prototype;
const mapSize = getterOf(Map.prototype, "size") as (this: unknown) => number;
const { has: weakSetHas, add: weakSetAdd } = WeakSet.prototype;
const { get: weakMapGet, set: weakMapSet } = WeakMap.prototype;
const { slice, startsWith, toWellFormed, charCodeAt } = String.prototype as StringPrototype;

export const mapGet = <K, V>(map: Map<K, V>, key: K): V | undefined => apply(get, map, [key]) as V | undefined;
export const mapSet = <K, V>(map: Map<K, V>, key: K, value: V): void => void apply(set, map, [key, value]);
export const mapDelete = <K>(map: Map<K, unknown>, key: K): boolean => apply(remove, map, [key]) as boolean;
export const sizeOf = (map: Map<unknown, unknown>): number => apply(mapSize, map, []) as number;
export const mapForEach = <K, V>(map: Map<K, V>, visit: (value: V, key: K) => void): void =>
  void apply(forEach, map, [visit]);
export const inWeakSet = (set: WeakSet<object>, value: object): boolean => apply(weakSetHas, set, [value]) as boolean;
export const addToWeakSet = (set: WeakSet<object>, value: object): void => void apply(weakSetAdd, set, [value]);
export const weakGet = <V>(map: WeakMap<object, V>, key: object): V | undefined =>
  apply(weakMapGet, map, [key]) as V | undefined;
export const weakSet = <V>(map: WeakMap<object, V>, key: object, value: V): void =>
  void apply(weakMapSet, map, [key, value]);
export const sliceText = (text: string, start: number, end: number): string => apply(slice, text, [start, end]);
export const textStartsWith = (text: string, prefix: string): boolean => apply(startsWith, text, [prefix]);

/** Lone surrogates become U+FFFD. */
export const wellFormed = (text: string): string => apply(toWellFormed, text, []);

/** Length of the longest prefix of at most `length` units that does not end inside a surrogate pair. */
export function wholeCharacters(text: string, length: number): number {
  if (length <= 0 || length >= text.length) return length < 0 ? 0 : length;
  const unit = apply(charCodeAt, text, [length - 1]) as number;
  return unit >= 0xd800 && unit <= 0xdbff ? length - 1 : length;
}

interface StringPrototype extends String {
  toWellFormed(): string;
}

/** Defines a property whatever setters a prototype has. Not enumerable, and fixed, unless asked otherwise. */
export function define(
  target: object,
  key: PropertyKey,
  value: unknown,
  flags: { readonly enumerable?: boolean; readonly writable?: boolean } = {},
): void {
  const descriptor = createObject(null) as PropertyDescriptor;
  descriptor.value = value;
  descriptor.enumerable = flags.enumerable === true;
  descriptor.writable = flags.writable === true;
  descriptor.configurable = flags.writable === true;
  defineProperty(target, key, descriptor);
}

function getterOf(target: object, key: PropertyKey): unknown {
  return Object.getOwnPropertyDescriptor(target, key)?.get;
}
