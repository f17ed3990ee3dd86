import { toJsonText } from "@codemode/bridge";
import {
  ErrorPrototype,
  getPrototypeOf,
  isArray,
  parseJson,
  sliceText,
  wellFormed,
  wholeCharacters,
} from "./primordials.js";

const MAX_MESSAGE_CHARS = 100_000;
const MAX_STACK_CHARS = 8_000;
const MAX_CAUSES = 3;
const MAX_MEMBERS = 5;
const MAX_PROTOTYPES = 32;

/** A thrown value as text: "Name: message", then causes and members of an AggregateError. */
export interface ErrorDescription {
  readonly message: string;
  /** The engine's stack text, empty where there is none. Only good for finding a position. */
  readonly stack: string;
}

/** Describes anything a cell may throw. Reads its fields, so hostile getters run, under the cell's own budget. */
export function describeError(thrown: unknown): ErrorDescription {
  return {
    message: bounded(messageOf(thrown, MAX_CAUSES), MAX_MESSAGE_CHARS),
    stack: bounded(read(thrown, "stack"), MAX_STACK_CHARS),
  };
}

/** What an error of that name and message is described as when nothing more is known of it. */
export function errorText(name: string, message: string): string {
  return bounded(head(name, message), MAX_MESSAGE_CHARS);
}

function messageOf(thrown: unknown, causesLeft: number): string {
  return isErrorLike(thrown) ? textOfError(thrown, causesLeft) : `Uncaught ${valueText(thrown)}`;
}

/** An error, or an object with the same two texts. */
function isErrorLike(thrown: unknown): thrown is object {
  if (typeof thrown !== "object" || thrown === null) return false;
  return inheritsFrom(thrown, ErrorPrototype) || (read(thrown, "name") !== "" && read(thrown, "message") !== "");
}

function textOfError(thrown: object, causesLeft: number): string {
  const name = read(thrown, "name");
  const message = read(thrown, "message");
  if (name === "" && message === "") return `Uncaught ${valueText(thrown)}`;
  return head(name, message) + membersOf(thrown, causesLeft) + causeOf(thrown, causesLeft);
}

function head(name: string, message: string): string {
  return name === "" ? message : message === "" ? name : `${name}: ${message}`;
}

/** An error, or a value, inside another error's text. */
function innerText(value: unknown, causesLeft: number): string {
  return isErrorLike(value) ? textOfError(value, causesLeft) : valueText(value);
}

function causeOf(thrown: object, causesLeft: number): string {
  const cause = readRaw(thrown, "cause");
  if (cause === undefined || cause === thrown || causesLeft === 0) return "";
  return ` (cause: ${innerText(cause, causesLeft - 1)})`;
}

function membersOf(thrown: object, causesLeft: number): string {
  const members = readRaw(thrown, "errors");
  if (causesLeft === 0 || !isReadableArray(members)) return "";
  const length = readRaw(members, "length");
  if (typeof length !== "number") return "";
  const shown = length > MAX_MEMBERS ? MAX_MEMBERS : length;
  let text = "";
  for (let index = 0; index < shown; index++) {
    text += `${index === 0 ? "" : "; "}${innerText(readRaw(members, index), 0)}`;
  }
  const rest = length > shown ? `; and ${length - shown} more` : "";
  return text === "" ? "" : ` [${text}${rest}]`;
}

function isReadableArray(value: unknown): boolean {
  try {
    return isArray(value);
  } catch {
    return false;
  }
}

function inheritsFrom(value: object, prototype: object): boolean {
  try {
    let next = getPrototypeOf(value);
    for (let step = 0; next !== null && step < MAX_PROTOTYPES; step++) {
      if (next === prototype) return true;
      next = getPrototypeOf(next);
    }
  } catch {
    // A proxy that does not tell is no error.
  }
  return false;
}

/** The field as text; empty where it is absent, not text, or cannot be read. */
function read(thrown: unknown, key: string): string {
  const value = readRaw(thrown, key);
  return typeof value === "string" ? value : "";
}

function readRaw(thrown: unknown, key: string | number): unknown {
  if ((typeof thrown !== "object" && typeof thrown !== "function") || thrown === null) return undefined;
  try {
    return (thrown as Record<string | number, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** Text as it is; anything else as its plain form. */
function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined) return "undefined";
  const text = toJsonText(value);
  return text[0] === '"' ? (parseJson(text) as string) : text;
}

function bounded(text: string, maxChars: number): string {
  return wellFormed(text.length > maxChars ? sliceText(text, 0, wholeCharacters(text, maxChars)) : text);
}
