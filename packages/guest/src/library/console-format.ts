import {
  ErrorConstructor,
  NumberConstructor,
  createObject,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  ownKeys,
  parseJson,
  sliceText,
  symbolText,
  textIndexOf,
  toText,
  trunc,
} from "../library-primordials.js";
import type { LibraryServices } from "../library-services.js";

const MAX_PROTOTYPE_STEPS = 32;
const MAX_CAUSES = 3;
const ErrorPrototype: object = ErrorConstructor.prototype;

/** How values read in a line of the console. Runs no getter. */
export interface LineFormat {
  /** The values, with the placeholders `%s %d %i %f %j %o %O %c %%` of a leading text filled in. */
  line(values: readonly unknown[]): string;
  value(value: unknown): string;
}

export function createLineFormat({ inertText }: Pick<LibraryServices, "inertText">): LineFormat {
  function valueText(value: unknown): string {
    switch (typeof value) {
      case "string":
        return value;
      case "symbol":
        return symbolText(value);
      case "bigint":
        return `${value}n`;
      case "object":
      case "function":
        return value === null ? "null" : objectText(value, MAX_CAUSES);
      default:
        return toText(value);
    }
  }

  function objectText(value: object, causesLeft: number): string {
    if (isError(value)) return errorText(value, causesLeft);
    const json = inertText(value);
    return json[0] === '"' ? (parseJson(json) as string) : json;
  }

  /** "Name: message", the error's own fields as JSON, then its cause. */
  function errorText(error: object, causesLeft: number): string {
    const name = textField(error, "name");
    const message = textField(error, "message");
    const head = name === "" || message === "" ? name + message : `${name}: ${message}`;
    return head + fieldsText(error) + causeText(error, causesLeft);
  }

  function fieldsText(error: object): string {
    const fields = createObject(null) as Record<PropertyKey, unknown>;
    const keys = ownKeys(error);
    let isEmpty = true;
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as PropertyKey;
      const descriptor = getOwnPropertyDescriptor(error, key);
      if (descriptor?.enumerable !== true || key === "name" || key === "message" || key === "cause") continue;
      fields[key] = hasOwn(descriptor, "value") ? descriptor.value : "[Getter]";
      isEmpty = false;
    }
    return isEmpty ? "" : ` ${inertText(fields)}`;
  }

  function causeText(error: object, causesLeft: number): string {
    const cause = dataField(error, "cause");
    if (cause === undefined || causesLeft === 0) return "";
    const isObject = typeof cause === "object" && cause !== null;
    return ` (cause: ${isObject ? objectText(cause, causesLeft - 1) : valueText(cause)})`;
  }

  function line(values: readonly unknown[]): string {
    if (values.length === 0) return "";
    const first = values[0];
    if (typeof first !== "string" || values.length === 1 || textIndexOf(first, "%") < 0) return joined("", values, 0);
    let text = "";
    let used = 1;
    let from = 0;
    for (let at = textIndexOf(first, "%"); at >= 0; at = textIndexOf(first, "%", from)) {
      const placeholder = first[at + 1];
      const filled = placeholder === "%" ? "%" : used < values.length ? fill(placeholder, values[used]) : undefined;
      if (filled !== undefined && placeholder !== "%") used++;
      text += sliceText(first, from, at) + (filled ?? sliceText(first, at, at + 1));
      from = at + (filled === undefined ? 1 : 2);
    }
    return joined(text + sliceText(first, from, first.length), values, used);
  }

  /** The value as a placeholder shows it; undefined when that is none. */
  function fill(placeholder: string | undefined, value: unknown): string | undefined {
    switch (placeholder) {
      case "s":
      case "o":
      case "O":
        return valueText(value);
      case "d":
      case "f":
        return typeof value === "bigint" ? `${value}n` : `${numberFrom(value)}`;
      case "i":
        return typeof value === "bigint" ? `${value}n` : `${trunc(numberFrom(value))}`;
      case "j":
        return inertText(value);
      case "c":
        return "";
      default:
        return undefined;
    }
  }

  function joined(head: string, values: readonly unknown[], from: number): string {
    let text = head;
    for (let index = from; index < values.length; index++) text += (index === 0 ? "" : " ") + valueText(values[index]);
    return text;
  }

  return { line, value: valueText };
}

/** Objects are NaN: reading one as a number would run its code. */
function numberFrom(value: unknown): number {
  return typeof value === "number" ? value : typeof value === "string" ? NumberConstructor(value) : NaN;
}

function isError(value: object): boolean {
  try {
    let prototype = getPrototypeOf(value);
    for (let step = 0; step < MAX_PROTOTYPE_STEPS && prototype !== null; step++) {
      if (prototype === ErrorPrototype) return true;
      prototype = getPrototypeOf(prototype);
    }
  } catch {
    // A Proxy that does not tell its prototype is shown as the object it claims to be.
  }
  return false;
}

function textField(error: object, key: string): string {
  const value = dataField(error, key);
  return typeof value === "string" ? value : "";
}

/** A property, own or inherited, unless it is a getter. */
function dataField(error: object, key: string): unknown {
  let holder: object | null = error;
  for (let step = 0; step < MAX_PROTOTYPE_STEPS && holder !== null; step++) {
    const descriptor = getOwnPropertyDescriptor(holder, key);
    if (descriptor !== undefined) return hasOwn(descriptor, "value") ? descriptor.value : undefined;
    holder = getPrototypeOf(holder);
  }
  return undefined;
}
