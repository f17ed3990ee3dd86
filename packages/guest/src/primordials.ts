// Invariant: everything the prelude uses after a cell has started was captured here first, so that a cell that replaces
// globals or prototype members changes nothing in the prelude.

export const {
  apply,
  defineProperty,
  deleteProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  preventExtensions,
  setPrototypeOf,
} = Reflect;
export const { freeze, create: createObject, hasOwn, keys: keysOf } = Object;
export const { parse: parseJson, stringify: stringifyJson } = JSON;
export const { isArray } = Array;
export const PromiseConstructor = Promise;
export const ErrorConstructor = Error;
export const TypeErrorConstructor = TypeError;
export const RangeErrorConstructor = RangeError;
export const FunctionPrototype = Function.prototype as object;
export const ErrorPrototype = Error.prototype;
export const ReferenceErrorPrototype = ReferenceError.prototype;
export const ProxyConstructor = Proxy;
export const Uint8ArrayConstructor = Uint8Array;
export const MapConstructor = Map;
export const WeakMapConstructor = WeakMap;
export const SYMBOL_TO_PRIMITIVE: symbol = Symbol.toPrimitive;

type Uncurry = <This, Inputs extends unknown[], Result>(
  method: (this: This, ...inputs: Inputs) => Result,
) => (self: This, ...inputs: Inputs) => Result;

/** A method as a function of its `this`. Bound, so that nothing is looked up when it is called. */
export const uncurry = Function.prototype.bind.bind(Function.prototype.call) as Uncurry;

/** A function with its first argument given. It has the prototype of `target`. */
export const bindFirst = uncurry(Function.prototype.bind) as <First, Rest extends unknown[], Result>(
  target: (first: First, ...rest: Rest) => Result,
  self: undefined,
  first: First,
) => (...rest: Rest) => Result;

const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, "size")?.get as (this: unknown) => number;
export const mapGet = uncurry(Map.prototype.get) as <K, V>(map: Map<K, V>, key: K) => V | undefined;
export const mapSet = uncurry(Map.prototype.set) as <K, V>(map: Map<K, V>, key: K, value: V) => unknown;
export const mapDelete = uncurry(Map.prototype.delete) as <K>(map: Map<K, unknown>, key: K) => boolean;
export const mapForEach = uncurry(Map.prototype.forEach) as <K, V>(
  map: Map<K, V>,
  visit: (value: V, key: K) => void,
) => void;
export const sizeOf: (map: Map<number, unknown>) => number = uncurry(mapSize);
export const weakGet = uncurry(WeakMap.prototype.get) as <V>(map: WeakMap<object, V>, key: object) => V | undefined;
export const weakSet = uncurry(WeakMap.prototype.set) as <V>(map: WeakMap<object, V>, key: object, value: V) => unknown;
export const sliceText = uncurry(String.prototype.slice) as (text: string, start: number, end: number) => string;
export const indexOfText: (text: string, part: string, from: number) => number = uncurry(String.prototype.indexOf);
export const textStartsWith: (text: string, prefix: string) => boolean = uncurry(String.prototype.startsWith);
export const joinTexts: (texts: readonly string[], separator: string) => string = uncurry(Array.prototype.join);

/** A new array without a prototype: adding a text can meet no setter. */
export function textList(): string[] {
  const list: string[] = [];
  setPrototypeOf(list, null);
  return list;
}

export const textEndsWith: (text: string, suffix: string) => boolean = uncurry(String.prototype.endsWith);
export const lowerCase = uncurry(String.prototype.toLowerCase);
export const charCodeAt = uncurry(String.prototype.charCodeAt);

/** Lone surrogates become U+FFFD. */
export const wellFormed = uncurry((String.prototype as unknown as { toWellFormed(this: string): string }).toWellFormed);

/** Length of the longest prefix of at most `length` units that does not end inside a surrogate pair. */
export function wholeCharacters(text: string, length: number): number {
  if (length <= 0 || length >= text.length) return length < 0 ? 0 : length;
  const unit = charCodeAt(text, length - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? length - 1 : length;
}

/** How a property is defined. Without a prototype, so that no flag is read from anywhere else. */
interface Attributes {
  readonly enumerable: boolean;
  /** Also configurable. */
  readonly writable: boolean;
}

function attributes(enumerable: boolean, writable: boolean): Attributes {
  const flags = createObject(null) as { enumerable: boolean; writable: boolean };
  flags.enumerable = enumerable;
  flags.writable = writable;
  return flags;
}

const FIXED = attributes(false, false);
export const VISIBLE = attributes(true, false);
export const ORDINARY = attributes(true, true);
/** As the engine defines `message` and `name` of an error. */
export const CHANGEABLE = attributes(false, true);

/** Defines a property whatever setters a prototype has. Not enumerable, and fixed, unless asked otherwise. */
export function define(target: object, key: PropertyKey, value: unknown, flags = FIXED): void {
  const descriptor = createObject(null) as PropertyDescriptor;
  descriptor.value = value;
  descriptor.enumerable = flags.enumerable;
  descriptor.writable = flags.writable;
  descriptor.configurable = flags.writable;
  defineProperty(target, key, descriptor);
}
