import { toJsonText } from "@codemode/bridge";
import { isArray, sliceText, wellFormed, wholeCharacters } from "./primordials.js";

const MAX_MESSAGE_CHARS = 100_000;
const MAX_STACK_CHARS = 8_000;
const MAX_CAUSES = 3;
const MAX_MEMBERS = 5;

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
  const name = read(thrown, "name");
  const message = read(thrown, "message");
  if (typeof thrown !== "object" || thrown === null || (name === "" && message === "")) {
    return `Uncaught ${typeof thrown === "string" ? thrown : plainText(thrown)}`;
  }
  return head(name, message) + membersOf(thrown, causesLeft) + causeOf(thrown, causesLeft);
}

function head(name: string, message: string): string {
  return name === "" ? message : message === "" ? name : `${name}: ${message}`;
}

function causeOf(thrown: object, causesLeft: number): string {
  const cause = readRaw(thrown, "cause");
  if (cause === undefined || causesLeft === 0) return "";
  return ` (cause: ${messageOf(cause, causesLeft - 1)})`;
}

function membersOf(thrown: object, causesLeft: number): string {
  const members = readRaw(thrown, "errors");
  if (!isArray(members) || causesLeft === 0) return "";
  let text = "";
  const length = readRaw(members, "length");
  if (typeof length !== "number") return "";
  const shown = length > MAX_MEMBERS ? MAX_MEMBERS : length;
  for (let index = 0; index < shown; index++) {
    text += `${index === 0 ? "" : "; "}${messageOf(readRaw(members, index), 0)}`;
  }
  const rest = length > shown ? `; and ${length - shown} more` : "";
  return text === "" ? "" : ` [${text}${rest}]`;
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

function plainText(value: unknown): string {
  return value === undefined ? "undefined" : toJsonText(value);
}

function bounded(text: string, maxChars: number): string {
  return wellFormed(text.length > maxChars ? sliceText(text, 0, wholeCharacters(text, maxChars)) : text);
}
