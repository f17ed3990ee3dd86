// All that the guest library uses of the language. Its chunks are evaluated when a cell asks for them, perhaps after the
// cell replaced built-ins, so this too is captured before any cell, as in `primordials.ts`. A chunk imports nothing else.
import { createObject, defineProperty, uncurry } from "./primordials.js";

export {
  ErrorConstructor,
  MapConstructor,
  PromiseConstructor,
  RangeErrorConstructor,
  TypeErrorConstructor,
  Uint8ArrayConstructor,
  WeakMapConstructor,
  apply,
  charCodeAt,
  createObject,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isArray,
  mapDelete,
  mapForEach,
  mapGet,
  mapSet,
  parseJson,
  sizeOf,
  sliceText,
  stringifyJson,
  weakGet,
  weakSet,
  wellFormed,
} from "./primordials.js";

type Bytes = Uint8Array<ArrayBuffer>;

/** Newer than the declarations of the language level the sources are checked with. */
interface NewerBytes {
  toBase64(this: Bytes): string;
  toHex(this: Bytes): string;
}
interface NewerConstructor {
  fromBase64(text: string): Bytes;
}
interface Globals {
  readonly atob: (text: string) => string;
  readonly btoa: (text: string) => string;
  readonly escape: (text: string) => string;
  readonly unescape: (text: string) => string;
  readonly queueMicrotask: (callback: () => void) => void;
  readonly performance: { now(): number };
  readonly Float16Array: unknown;
  readonly DOMException: new (message?: string, name?: string) => Error;
}

const globals = globalThis as unknown as Globals;
const typedArrayPrototype = Reflect.getPrototypeOf(Uint8Array.prototype) as object;

function getter(prototype: object, key: PropertyKey): (self: unknown) => unknown {
  return uncurry(Reflect.getOwnPropertyDescriptor(prototype, key)?.get as (this: unknown) => unknown);
}

export const { ownKeys } = Reflect;
const { setPrototypeOf } = Reflect;
export const { iterator: SymbolIterator, toStringTag: SymbolToStringTag } = Symbol;
export const { now: dateNow } = Date;
export const { random, trunc } = Math;
export const { fromCharCode } = String;
export const { isView } = ArrayBuffer;
export const DOMExceptionConstructor = globals.DOMException;
export const SetConstructor = Set;
export const WeakSetConstructor = WeakSet;
export const RegExpConstructor = RegExp;
export const DateConstructor = Date;
export const ArrayBufferConstructor = ArrayBuffer;
export const DataViewConstructor = DataView;
export const ObjectConstructor = Object;
export const NumberConstructor = Number;
export const { prototype: ObjectPrototype } = Object;
export const { prototype: NumberPrototype } = Number;
export const { prototype: StringPrototype } = String;
export const { prototype: BooleanPrototype } = Boolean;
export const { prototype: BigIntPrototype } = BigInt;
export const { prototype: SymbolPrototype } = Symbol;
export const { prototype: WeakRefPrototype } = WeakRef;
export const { prototype: SharedArrayBufferPrototype } = SharedArrayBuffer;

/** By their names, without a prototype. */
export const errorConstructors: Readonly<Record<string, ErrorConstructor | undefined>> = Object.assign(
  Object.create(null) as object,
  { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError },
);
/** By the tags of their arrays, without a prototype. */
export const typedArrayConstructors: Readonly<Record<string, unknown>> = Object.assign(
  Object.create(null) as object,
  { Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array },
  { BigInt64Array, BigUint64Array, Float32Array, Float64Array, Float16Array: globals.Float16Array },
);

export const timeOf = uncurry<unknown, [], number>(Date.prototype.getTime);
export const numberValue = uncurry<unknown, [], number>(Number.prototype.valueOf);
export const bigintValue = uncurry<unknown, [], bigint>(BigInt.prototype.valueOf);
export const stringValue = uncurry<unknown, [], string>(String.prototype.valueOf);
export const booleanValue = uncurry<unknown, [], boolean>(Boolean.prototype.valueOf);
export const symbolText = uncurry<symbol, [], string>(Symbol.prototype.toString);

export const toUpperCase: (text: string) => string = uncurry(String.prototype.toUpperCase);
export const toLowerCase: (text: string) => string = uncurry(String.prototype.toLowerCase);
export const textIndexOf: (text: string, part: string, from?: number) => number = uncurry(String.prototype.indexOf);
export const execute: (pattern: RegExp, text: string) => RegExpExecArray | null = uncurry(RegExp.prototype.exec);
export const patternSource = getter(RegExp.prototype, "source") as (self: unknown) => string;
export const patternFlags = getter(RegExp.prototype, "flags") as (self: unknown) => string;
/** Of what is no error, undefined or a TypeError. */
export const errorStack = getter(Error.prototype, "stack");
export const sortList = uncurry(Array.prototype.sort) as <Item>(
  list: Item[],
  compare: (one: Item, other: Item) => number,
) => Item[];

export const setAdd = uncurry(Set.prototype.add) as (set: Set<unknown>, value: unknown) => unknown;
export const setForEach = uncurry(Set.prototype.forEach) as (set: unknown, visit: (value: unknown) => void) => void;

export const setSize = getter(Set.prototype, "size") as (self: unknown) => number;

export const typedArrayTag = getter(typedArrayPrototype, Symbol.toStringTag) as (self: unknown) => string | undefined;
export const typedArrayBuffer = getter(typedArrayPrototype, "buffer") as (self: unknown) => ArrayBuffer;
export const typedArrayOffset = getter(typedArrayPrototype, "byteOffset") as (self: unknown) => number;
export const typedArrayBytes = getter(typedArrayPrototype, "byteLength") as (self: unknown) => number;
export const typedArrayLength = getter(typedArrayPrototype, "length") as (self: unknown) => number;
export const typedArraySet = uncurry(Uint8Array.prototype.set) as (
  target: Bytes,
  source: Bytes,
  offset: number,
) => void;
export const viewBuffer = getter(DataView.prototype, "buffer") as (self: unknown) => ArrayBuffer;
export const viewOffset = getter(DataView.prototype, "byteOffset") as (self: unknown) => number;
export const viewBytes = getter(DataView.prototype, "byteLength") as (self: unknown) => number;
export const bufferBytes = getter(ArrayBuffer.prototype, "byteLength") as (self: unknown) => number;
export const bufferTransfer = uncurry(
  (ArrayBuffer.prototype as unknown as { transfer(this: unknown): ArrayBuffer }).transfer,
);

/** Between texts of one character a byte, base64 text, and bytes. */
export const { atob: base64ToBinary, btoa: binaryToBase64, queueMicrotask: queueTask } = globals;
export const { fromBase64: base64ToBytes } = Uint8Array as unknown as NewerConstructor;
export const bytesToBase64 = uncurry((Uint8Array.prototype as unknown as NewerBytes).toBase64);
export const bytesToHex = uncurry((Uint8Array.prototype as unknown as NewerBytes).toHex);
/** Between text, percent-encoded UTF-8, and texts of one character a byte. */
export const encodePercent = encodeURIComponent;
export const decodePercent = decodeURIComponent;
export const { escape: percentOfBinary, unescape: binaryOfPercent } = globals;

const readPerformance = uncurry<unknown, [], number>(globals.performance.now);
const { performance: clock } = globals;
/** Milliseconds since the cell started. */
export const elapsedMs = (): number => readPerformance(clock);

/** A value as text, as the language does it: an object's own `toString` runs, and a symbol is refused. */
export const toText = (value: unknown): string => `${value as number}`;

/** A new array without a prototype: writing an item can meet no setter, and nothing of it is looked up elsewhere. */
export function bareList<Item>(): Item[] {
  const list: Item[] = [];
  setPrototypeOf(list, null);
  return list;
}

/** Adds to a list that has no prototype. */
export function append<Item>(list: Item[], item: Item): void {
  list[list.length] = item;
}

/** Adds to an ordinary array, whatever setters the cell gave array indexes. */
export function appendOrdinary<Item>(list: Item[], item: Item): void {
  defineField(list, list.length, item);
}

/** An ordinary property, whatever setters a prototype has. */
export function defineField(target: object, key: PropertyKey, value: unknown): void {
  defineProperty(target, key, descriptorOf(value, true, true));
}

/** A property as built-in methods are: not enumerable, and replaceable. */
export function defineMethod(target: object, key: PropertyKey, value: unknown): void {
  defineProperty(target, key, descriptorOf(value, false, true));
}

/** A property that stays. Not enumerable. */
export function defineFixed(target: object, key: PropertyKey, value: unknown): void {
  defineProperty(target, key, descriptorOf(value, false, false));
}

function descriptorOf(value: unknown, isEnumerable: boolean, isReplaceable: boolean): PropertyDescriptor {
  const descriptor = createObject(null) as PropertyDescriptor;
  descriptor.value = value;
  descriptor.enumerable = isEnumerable;
  descriptor.writable = isReplaceable;
  descriptor.configurable = isReplaceable;
  return descriptor;
}
