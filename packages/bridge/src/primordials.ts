/**
 * Built-in functions, captured when this module loads. Inside a VM that is before the cell, so whatever a cell replaces
 * later is never called. Call these only; a method call through a prototype is not safe there.
 */

type Uncurry = <This, Arguments extends unknown[], Result>(
  method: (this: This, ...args: Arguments) => Result,
) => (self: This, ...args: Arguments) => Result;

const uncurry = Function.prototype.bind.bind(Function.prototype.call) as Uncurry;

function getter(prototype: object, key: PropertyKey): (self: unknown) => unknown {
  const get = Reflect.getOwnPropertyDescriptor(prototype, key)?.get;
  if (get === undefined) throw new Error(`This engine lacks the getter ${String(key)}.`);
  return uncurry(get as (this: unknown) => unknown);
}

/** ES2024, present in every supported engine; the ES2023 library does not declare it. */
const { toWellFormed } = String.prototype as unknown as { toWellFormed(this: string): string };

const typedArrayPrototype = Reflect.getPrototypeOf(Uint8Array.prototype) as object;
const hostUrl = (globalThis as { URL?: { prototype: object } }).URL;

export const TypeErrorConstructor = TypeError;
export const stringify = JSON.stringify as (value: unknown) => string;
export const isArray: (value: unknown) => boolean = Array.isArray;
export const keysOf: (value: object) => string[] = Object.keys;
export const hasOwn: (value: object, key: PropertyKey) => boolean = Object.hasOwn;
export const prototypeOf: (value: object) => object | null = Reflect.getPrototypeOf;
const setPrototypeOf: (value: object, prototype: null) => boolean = Reflect.setPrototypeOf;
const createObject = Object.create as (prototype: null) => Record<string, unknown>;

/** A new array without a prototype: writing an item can meet no setter. */
export function bareList<Item>(): Item[] {
  const list: Item[] = [];
  setPrototypeOf(list, null);
  return list;
}

/** A new object without a prototype: every key, `__proto__` too, is an ordinary own key. */
export function bareRecord(): Record<string, unknown> {
  return createObject(null);
}

export const charCodeAt = uncurry(String.prototype.charCodeAt);
export const slice = uncurry<string, [from: number, to?: number], string>(String.prototype.slice);
export const wellFormed: (text: string) => string = uncurry(toWellFormed);
export const execute: (pattern: RegExp, text: string) => RegExpExecArray | null = uncurry(RegExp.prototype.exec);

export const forEachOfMap = uncurry<unknown, [visit: (value: unknown, key: unknown) => void], void>(
  Map.prototype.forEach as (this: unknown, visit: (value: unknown, key: unknown) => void) => void,
);
export const forEachOfSet = uncurry<unknown, [visit: (value: unknown) => void], void>(
  Set.prototype.forEach as (this: unknown, visit: (value: unknown) => void) => void,
);
export const timeOf = uncurry<unknown, [], number>(Date.prototype.getTime as (this: unknown) => number);
export const isoStringOf = uncurry<unknown, [], string>(Date.prototype.toISOString as (this: unknown) => string);

/** Name of a typed array's constructor; undefined for every other value. Never throws. */
export const typedArrayTag = getter(typedArrayPrototype, Symbol.toStringTag);
export const typedArrayLength = getter(typedArrayPrototype, "length") as (self: unknown) => number;
export const arrayBufferLength = getter(ArrayBuffer.prototype, "byteLength") as (self: unknown) => number;
export const descriptionOf = getter(Symbol.prototype, "description") as (self: symbol) => string | undefined;
export const patternSource = getter(RegExp.prototype, "source") as (self: unknown) => string;
/** `href` of a URL, where the platform has URL when this module loads. */
export const urlHref = hostUrl === undefined ? undefined : getter(hostUrl.prototype, "href");

export const numberOf = uncurry<unknown, [], number>(Number.prototype.valueOf as (this: unknown) => number);
export const stringOf = uncurry<unknown, [], string>(String.prototype.valueOf as (this: unknown) => string);
export const booleanOf = uncurry<unknown, [], boolean>(Boolean.prototype.valueOf as (this: unknown) => boolean);
export const bigintOf = uncurry<unknown, [], bigint>(BigInt.prototype.valueOf as (this: unknown) => bigint);
export const symbolOf = uncurry<unknown, [], symbol>(Symbol.prototype.valueOf as (this: unknown) => symbol);
