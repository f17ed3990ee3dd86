import { builtinForm } from "./builtin-form.js";
import { functionNote, listForm, note, recordForm, type PlainForm } from "./plain-form.js";
import { append, bareList, hasOwn, isArray, keysOf, prototypeOf } from "./primordials.js";

/** Arrays longer than this are probed for holes before they are written item by item. */
const MAX_UNPROBED_LENGTH = 1_000_000;
const PROBES = 64;
const MAX_ARRAY_LENGTH = 4_294_967_295;
const ObjectPrototype = Object.prototype;

/** Names of a plain object's members; undefined when the value is something else. Throws what a hostile trap throws. */
export function plainKeys(value: object): readonly string[] | undefined {
  if (typeof value === "function" || isArray(value)) return undefined;
  const prototype = prototypeOf(value);
  return prototype === ObjectPrototype || prototype === null ? keysOf(value) : undefined;
}

/** The plain form of any object or function. Throws what a hostile trap or getter throws. */
export function objectForm(value: object): PlainForm {
  if (typeof value === "function") return functionNote(value);
  if (isArray(value)) return arrayForm(value);
  return builtinForm(value) ?? recordForm(value, keysOf(value));
}

function arrayForm(value: object): PlainForm {
  const { length } = value as { readonly length: unknown };
  if (typeof length !== "number" || !(length >= 0 && length <= MAX_ARRAY_LENGTH) || length % 1 !== 0) {
    return note("[Array: no valid length]", "is an array without a valid length");
  }
  return length > MAX_UNPROBED_LENGTH && isSparse(value, length) ? sparseForm(value) : listForm(value, length);
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
  for (let index = 0; index < own.length; index++) append(names, own[index] as string);
  append(names, "length");
  return recordForm(value, names);
}
