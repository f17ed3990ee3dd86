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
export const ownProperty: (value: object, key: PropertyKey) => PropertyDescriptor | undefined =
  Reflect.getOwnPropertyDescriptor;
const setPrototypeOf: (value: object, prototype: null) => boolean = Reflect.setPrototypeOf;
const createObject = Object.create as (prototype: null) => Record<string, unknown>;

/** A new array without a prototype: writing an item can meet no setter. */
export function bareList<Item>(): Item[] {
  const list: Item[] = [];
  setPrototypeOf(list, null);
  return list;
}

/** Adds to a list that has no prototype. */
export function append<Item>(list: Item[], item: Item): void {
  list[list.length] = item;
}

/** A new object without a prototype: every key, `__proto__` too, is an ordinary own key. */
export function bareRecord(): Record<string, unknown> {
  return createObject(null);
}

const assign = Object.assign as <Fields extends object>(target: object, fields: Fields) => Fields;

/** A copy of an object's own fields without a prototype: a field that is not there is read from nowhere. */
export function ownFields<Fields extends object>(fields: Fields): Fields {
  return assign(bareRecord(), fields);
}

export const percentEncode: (text: string) => string = encodeURIComponent;
/** Decodes each escaped byte to one character. Annex B, and in every supported engine. */
export const percentDecode: (text: string) => string = (globalThis as unknown as { unescape(text: string): string })
  .unescape;

/**
 * The platform's own count of UTF-8 bytes, where it has one when this module loads: Node has it as a global. A guest VM
 * has none.
 */
export const nativeUtf8Bytes = (globalThis as { Buffer?: { byteLength?(text: string): number } }).Buffer?.byteLength;

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
export const timeOf = uncurry<unknown, [], number>(Date.prototype.getTime);
export const isoStringOf = uncurry<unknown, [], string>(Date.prototype.toISOString);

/** Name of a typed array's constructor; undefined for every other value. Never throws. */
export const typedArrayTag = getter(typedArrayPrototype, Symbol.toStringTag);
export const typedArrayLength = getter(typedArrayPrototype, "length") as (self: unknown) => number;
export const arrayBufferLength = getter(ArrayBuffer.prototype, "byteLength") as (self: unknown) => number;
export const descriptionOf = getter(Symbol.prototype, "description") as (self: symbol) => string | undefined;
export const patternSource = getter(RegExp.prototype, "source") as (self: unknown) => string;
const patternFlag = (key: keyof RegExp) => getter(RegExp.prototype, key) as (self: unknown) => boolean;
const hasIndices = patternFlag("hasIndices");
const isGlobal = patternFlag("global");
const ignoresCase = patternFlag("ignoreCase");
const isMultiline = patternFlag("multiline");
const dotMatchesAll = patternFlag("dotAll");
const isUnicode = patternFlag("unicode");
const usesUnicodeSets = patternFlag("unicodeSets" as keyof RegExp);
const isSticky = patternFlag("sticky");

/** Flags of a regular expression, in the order of the language. */
export function patternFlags(pattern: object): string {
  return (
    (hasIndices(pattern) ? "d" : "") +
    (isGlobal(pattern) ? "g" : "") +
    (ignoresCase(pattern) ? "i" : "") +
    (isMultiline(pattern) ? "m" : "") +
    (dotMatchesAll(pattern) ? "s" : "") +
    (isUnicode(pattern) ? "u" : "") +
    (usesUnicodeSets(pattern) ? "v" : "") +
    (isSticky(pattern) ? "y" : "")
  );
}
/** `href` of a URL, where the platform has URL when this module loads. */
export const urlHref = hostUrl === undefined ? undefined : getter(hostUrl.prototype, "href");

export const numberOf = uncurry<unknown, [], number>(Number.prototype.valueOf);
export const stringOf = uncurry<unknown, [], string>(String.prototype.valueOf);
export const booleanOf = uncurry<unknown, [], boolean>(Boolean.prototype.valueOf);
export const bigintOf = uncurry<unknown, [], bigint>(BigInt.prototype.valueOf);
export const symbolOf = uncurry<unknown, [], symbol>(Symbol.prototype.valueOf);
