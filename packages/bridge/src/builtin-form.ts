/** Plain forms of built-in objects. Only captured built-ins are called; arrays filled here have no prototype. */
import { listForm, note, PROMISE_NOTE, recordForm, shorten, type PlainForm } from "./plain-form.js";
import {
  append,
  arrayBufferLength,
  bareList,
  bareRecord,
  bigintOf,
  booleanOf,
  forEachOfMap,
  forEachOfSet,
  hasOwn,
  isoStringOf,
  keysOf,
  numberOf,
  patternFlags,
  patternSource,
  prototypeOf,
  stringOf,
  symbolOf,
  timeOf,
  typedArrayLength,
  typedArrayTag,
  urlHref,
} from "./primordials.js";

const MAX_PROTOTYPE_STEPS = 32;

const ObjectPrototype = Object.prototype;
const MapPrototype = Map.prototype;
const SetPrototype = Set.prototype;
const DatePrototype = Date.prototype;
const ErrorPrototype = Error.prototype;
const RegExpPrototype = RegExp.prototype;
const PromisePrototype = Promise.prototype;
const NumberPrototype = Number.prototype;
const StringPrototype = String.prototype;
const BooleanPrototype = Boolean.prototype;
const BigIntPrototype = BigInt.prototype;
const SymbolPrototype = Symbol.prototype;
const ArrayBufferPrototype = ArrayBuffer.prototype;
const DataViewPrototype = DataView.prototype;
const WeakMapPrototype = WeakMap.prototype;
const WeakSetPrototype = WeakSet.prototype;
const WeakRefPrototype = WeakRef.prototype;
/** Of generators and of what `keys()`, `values()` and `entries()` give. */
const IteratorPrototype = prototypeOf(prototypeOf([][Symbol.iterator]()) as object);
const UrlPrototype = (globalThis as { URL?: { prototype: object } }).URL?.prototype;

/** The form of a built-in or of an instance of a class derived from one; undefined for every other object. */
export function builtinForm(value: object): PlainForm | undefined {
  if (typedArrayTag(value) !== undefined) return listForm(value, typedArrayLength(value));
  let prototype = prototypeOf(value);
  for (let step = 0; step < MAX_PROTOTYPE_STEPS; step++) {
    if (prototype === null || prototype === ObjectPrototype) return undefined;
    const form = formByPrototype(value, prototype);
    if (form !== undefined) return form;
    prototype = prototypeOf(prototype);
  }
  return undefined;
}

function formByPrototype(value: object, prototype: object): PlainForm | undefined {
  switch (prototype) {
    case ErrorPrototype:
      return errorForm(value);
    case PromisePrototype:
      return PROMISE_NOTE;
    case IteratorPrototype:
      return note("[Iterator: spread it to get its items]", "is an iterator: spread it into an array first");
    case WeakMapPrototype:
      return note("[WeakMap]", "is a WeakMap, which JSON cannot carry");
    case WeakSetPrototype:
      return note("[WeakSet]", "is a WeakSet, which JSON cannot carry");
    case WeakRefPrototype:
      return note("[WeakRef]", "is a WeakRef, which JSON cannot carry");
    case DataViewPrototype:
      return note("[DataView]", "is a DataView, which JSON cannot carry");
    default:
      return brandedForm(value, prototype);
  }
}

/** Forms whose data only the built-in itself can give: for an object that merely inherits, its accessor throws. */
function brandedForm(value: object, prototype: object): PlainForm | undefined {
  try {
    switch (prototype) {
      case DatePrototype:
        return primitive(dateText(value));
      case MapPrototype:
        return mapForm(value);
      case SetPrototype:
        return setForm(value);
      case RegExpPrototype:
        return note(
          `[RegExp: /${shorten(patternSource(value))}/${patternFlags(value)}]`,
          "is a regular expression, which JSON cannot carry",
        );
      case ArrayBufferPrototype:
        return note(`[ArrayBuffer: ${arrayBufferLength(value)} bytes]`, "is an ArrayBuffer, which JSON cannot carry");
      case UrlPrototype:
        return urlHref === undefined ? undefined : primitive(urlHref(value));
      default:
        return boxedForm(value, prototype);
    }
  } catch {
    return undefined;
  }
}

function boxedForm(value: object, prototype: object): PlainForm | undefined {
  switch (prototype) {
    case NumberPrototype:
      return primitive(numberOf(value));
    case StringPrototype:
      return primitive(stringOf(value));
    case BooleanPrototype:
      return primitive(booleanOf(value));
    case BigIntPrototype:
      return primitive(bigintOf(value));
    case SymbolPrototype:
      return primitive(symbolOf(value));
    default:
      return undefined;
  }
}

function primitive(value: unknown): PlainForm {
  return { type: "value", value };
}

function dateText(value: object): string | null {
  const time = timeOf(value);
  return time === time ? isoStringOf(value) : null;
}

/** Own fields stand between `message` and `cause`; the stack never crosses. */
function errorForm(value: object): PlainForm {
  const own = keysOf(value);
  const names = bareList<string>();
  append(names, "name");
  append(names, "message");
  for (let index = 0; index < own.length; index++) {
    const name = own[index] as string;
    if (name !== "name" && name !== "message" && name !== "stack" && name !== "cause" && name !== "errors") {
      append(names, name);
    }
  }
  if (hasOwn(value, "errors")) append(names, "errors");
  if (hasOwn(value, "cause")) append(names, "cause");
  return recordForm(value, names);
}

function mapForm(value: object): PlainForm {
  const keys = bareList<unknown>();
  const values = bareList<unknown>();
  forEachOfMap(value, (item, key) => {
    append(keys, key);
    append(values, item);
  });
  if (!isTextList(keys)) return pairsForm(keys, values);
  const source = bareRecord();
  for (let index = 0; index < keys.length; index++) source[keys[index] as string] = values[index];
  return recordForm(source, keys);
}

function isTextList(list: readonly unknown[]): list is readonly string[] {
  for (let index = 0; index < list.length; index++) if (typeof list[index] !== "string") return false;
  return true;
}

function pairsForm(keys: readonly unknown[], values: readonly unknown[]): PlainForm {
  const source = bareList<unknown>();
  for (let index = 0; index < keys.length; index++) {
    const pair = bareList<unknown>();
    append(pair, keys[index]);
    append(pair, values[index]);
    append(source, pair);
  }
  return listForm(source, source.length);
}

function setForm(value: object): PlainForm {
  const source = bareList<unknown>();
  forEachOfSet(value, (item) => append(source, item));
  return listForm(source, source.length);
}
