import {
  ArrayBufferConstructor,
  BigIntPrototype,
  BooleanPrototype,
  DOMExceptionConstructor,
  DataViewConstructor,
  DateConstructor,
  ErrorConstructor,
  MapConstructor,
  NumberPrototype,
  ObjectConstructor,
  ObjectPrototype,
  PromiseConstructor,
  RegExpConstructor,
  SetConstructor,
  SharedArrayBufferPrototype,
  StringPrototype,
  SymbolPrototype,
  Uint8ArrayConstructor,
  WeakMapConstructor,
  WeakRefPrototype,
  WeakSetConstructor,
  bigintValue,
  booleanValue,
  bufferBytes,
  defineMethod,
  errorConstructors,
  errorStack,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isArray,
  numberValue,
  patternFlags,
  patternSource,
  setSize,
  sizeOf,
  stringValue,
  timeOf,
  toText,
  typedArrayBuffer,
  typedArrayConstructors,
  typedArrayLength,
  typedArrayOffset,
  typedArraySet,
  typedArrayTag,
  viewBuffer,
  viewBytes,
  viewOffset,
} from "../library-primordials.js";

const MAX_PROTOTYPE_STEPS = 32;

type CopyOf = (value: unknown) => unknown;

/** A copy without its members yet: what to fill it with, unless it is whole. */
export interface Shell {
  readonly type: "whole" | "members" | "map" | "set" | "error";
  readonly copy: object;
}

export function notCloneable(what: string): Error {
  return new DOMExceptionConstructor(`${what} could not be cloned.`, "DataCloneError");
}

/** Makes the shell of any object. Members a copy needs at once, such as the buffer of a view, come from `copyOf`. */
export function createShells(isOwnObject: (value: object) => boolean): (value: object, copyOf: CopyOf) => Shell {
  return (value, copyOf) => {
    if (isArray(value)) return members(listOfLength(value.length));
    const prototype = getPrototypeOf(value);
    if (prototype === ObjectPrototype || prototype === null) return members({});
    if (isOwnObject(value)) throw notCloneable("An object of the platform");
    if (typedArrayTag(value) !== undefined) return whole(typedArrayCopy(value, copyOf));
    let holder: object | null = prototype;
    for (let step = 0; step < MAX_PROTOTYPE_STEPS && holder !== null; step++) {
      const shell = shellByPrototype(value, holder, copyOf);
      if (shell !== undefined) return shell;
      holder = getPrototypeOf(holder);
    }
    return members({});
  };
}

function shellByPrototype(value: object, prototype: object, copyOf: CopyOf): Shell | undefined {
  switch (prototype) {
    case PromiseConstructor.prototype:
      throw notCloneable("A promise");
    case WeakMapConstructor.prototype:
    case WeakSetConstructor.prototype:
    case WeakRefPrototype:
      throw notCloneable("A weak collection or reference");
    case SymbolPrototype:
      throw notCloneable("A symbol");
    case SharedArrayBufferPrototype:
      throw notCloneable("A SharedArrayBuffer");
    case DOMExceptionConstructor.prototype:
      return whole(new DOMExceptionConstructor((value as Error).message, (value as Error).name));
    case ErrorConstructor.prototype:
      return { type: "error", copy: errorCopy(value) };
    case DataViewConstructor.prototype:
      return whole(
        new DataViewConstructor(copyOf(viewBuffer(value)) as ArrayBuffer, viewOffset(value), viewBytes(value)),
      );
    default:
      return brandedShell(value, prototype);
  }
}

/** Copies only the built-in itself can give; an object that merely inherits from it is like any other. */
function brandedShell(value: object, prototype: object): Shell | undefined {
  try {
    switch (prototype) {
      case MapConstructor.prototype:
        sizeOf(value as Map<number, unknown>);
        return { type: "map", copy: new MapConstructor() };
      case SetConstructor.prototype:
        setSize(value);
        return { type: "set", copy: new SetConstructor() };
      default: {
        const copy = brandedCopy(value, prototype);
        return copy === undefined ? undefined : whole(copy);
      }
    }
  } catch {
    return undefined;
  }
}

function brandedCopy(value: object, prototype: object): object | undefined {
  switch (prototype) {
    case DateConstructor.prototype:
      return new DateConstructor(timeOf(value));
    case RegExpConstructor.prototype:
      return new RegExpConstructor(patternSource(value), patternFlags(value));
    case ArrayBufferConstructor.prototype:
      return bufferCopy(value as ArrayBuffer);
    case NumberPrototype:
      return ObjectConstructor(numberValue(value)) as object;
    case StringPrototype:
      return ObjectConstructor(stringValue(value)) as object;
    case BooleanPrototype:
      return ObjectConstructor(booleanValue(value)) as object;
    case BigIntPrototype:
      return ObjectConstructor(bigintValue(value)) as object;
    default:
      return undefined;
  }
}

function bufferCopy(buffer: ArrayBuffer): ArrayBuffer {
  const copy = new ArrayBufferConstructor(bufferBytes(buffer));
  typedArraySet(new Uint8ArrayConstructor(copy), new Uint8ArrayConstructor(buffer), 0);
  return copy;
}

function typedArrayCopy(value: object, copyOf: CopyOf): object {
  const constructor = typedArrayConstructors[typedArrayTag(value) as string] as typeof Uint8Array;
  const buffer = copyOf(typedArrayBuffer(value)) as ArrayBuffer;
  return new constructor(buffer, typedArrayOffset(value), typedArrayLength(value));
}

/** Name and message, as far as the language knows the name, and the stack. */
function errorCopy(value: object): Error {
  const { name } = value as Error;
  const constructor = (typeof name === "string" ? errorConstructors[name] : undefined) ?? ErrorConstructor;
  const copy = new constructor();
  const message = getOwnPropertyDescriptor(value, "message")?.value as unknown;
  if (message !== undefined) defineMethod(copy, "message", toText(message));
  const stack = errorStack(value);
  if (typeof stack === "string") defineMethod(copy, "stack", stack);
  return copy;
}

function listOfLength(length: number): unknown[] {
  const list: unknown[] = [];
  list.length = length;
  return list;
}

function members(copy: object): Shell {
  return { type: "members", copy };
}

function whole(copy: object): Shell {
  return { type: "whole", copy };
}
