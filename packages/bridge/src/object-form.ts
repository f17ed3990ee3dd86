import { builtinForm } from "./builtin-form.js";
import { functionNote, note, type PlainForm } from "./plain-form.js";
import { bareList, hasOwn, isArray, keysOf, prototypeOf } from "./primordials.js";

/** Arrays longer than this are probed for holes before they are written item by item. */
const MAX_UNPROBED_LENGTH = 1_000_000;
const PROBES = 64;
const MAX_ARRAY_LENGTH = 4_294_967_295;
const ObjectPrototype = Object.prototype;

/** The plain form of any object or function. Throws what a hostile trap or getter throws. */
export function objectForm(value: object): PlainForm {
  if (typeof value === "function") return functionNote(value);
  if (isArray(value)) return arrayForm(value);
  const prototype = prototypeOf(value);
  if (prototype === null || prototype === ObjectPrototype) return recordForm(value);
  return builtinForm(value, prototype) ?? recordForm(value);
}

function recordForm(value: object): PlainForm {
  return { type: "record", source: value, names: keysOf(value) };
}

function arrayForm(value: object): PlainForm {
  const { length } = value as { readonly length: unknown };
  if (typeof length !== "number" || !(length >= 0 && length <= MAX_ARRAY_LENGTH) || length % 1 !== 0) {
    return note("[Array: no valid length]", "is an array without a valid length");
  }
  if (length > MAX_UNPROBED_LENGTH && isSparse(value, length)) return sparseForm(value);
  return { type: "list", source: value, length };
}

/** Probes evenly spread indexes, so that an array of four billion holes is never walked. */
function isSparse(value: object, length: number): boolean {
  let present = 0;
  for (let probe = 0; probe < PROBES; probe++) {
    const position = (length / PROBES) * probe;
    if (hasOwn(value, position - (position % 1))) present++;
  }
  return present < PROBES / 2;
}

/** A sparse array is written as an object: its own items, then `length`. */
function sparseForm(value: object): PlainForm {
  const own = keysOf(value);
  const names = bareList<string>();
  for (let index = 0; index < own.length; index++) names[index] = own[index] as string;
  names[own.length] = "length";
  return { type: "record", source: value, names };
}
