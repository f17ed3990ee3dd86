import { cutUtf8 } from "./byte-length.js";
import { descriptionOf } from "./primordials.js";

/**
 * What an object is written as. `value`: a primitive that carries the same data. `note`: a short string that only says
 * what was there, with the reason why tool input refuses it. `members`: an object with these names, or without names an
 * array; its members are read from `source` one by one while they are written.
 */
export type PlainForm = { readonly type: "value"; readonly value: unknown } | PlainNote | PlainMembers;

export interface PlainMembers {
  readonly type: "members";
  readonly source: object;
  readonly names: readonly string[] | undefined;
  readonly length: number;
}

export interface PlainNote {
  readonly type: "note";
  readonly text: string;
  /** Completes a sentence that starts with the path of the value. */
  readonly problem: string;
}

/** Longest name, message or pattern inside a note, in UTF-8 bytes. */
const MAX_NOTE_BYTES = 200;

export function note(text: string, problem: string): PlainNote {
  return { type: "note", text, problem };
}

export function listForm(source: object, length: number): PlainMembers {
  return { type: "members", source, names: undefined, length };
}

export function recordForm(source: object, names: readonly string[]): PlainMembers {
  return { type: "members", source, names, length: names.length };
}

export function functionNote(value: object): PlainNote {
  let name: unknown;
  try {
    name = (value as { readonly name?: unknown }).name;
  } catch {
    name = undefined;
  }
  const label = typeof name === "string" && name !== "" ? shorten(name) : "(anonymous)";
  return note(`[Function: ${label}]`, "is a function, which JSON cannot carry");
}

export function symbolNote(value: symbol): PlainNote {
  return note(`[Symbol: ${shorten(descriptionOf(value) ?? "")}]`, "is a symbol, which JSON cannot carry");
}

export const PROMISE_NOTE = note("[Promise: await it to get its value]", "is a promise: await it first");

/** Stands for a value that cannot be read because reading it throws `error`. */
export function throwsNote(error: unknown): PlainNote {
  const text = thrownText(error);
  return note(`[Throws: ${text}]`, `cannot be read: ${text}`);
}

export function shorten(text: string): string {
  return cutUtf8(text, MAX_NOTE_BYTES);
}

/** "Name: message" of whatever was thrown. Runs at most its `name` and `message` getters. */
function thrownText(error: unknown): string {
  if (typeof error === "string") return shorten(error);
  if (typeof error === "symbol") return symbolNote(error).text;
  if (typeof error === "function") return functionNote(error).text;
  if (typeof error !== "object" || error === null) return `${error as number | boolean | bigint | null | undefined}`;
  try {
    const { name, message } = error as { readonly name?: unknown; readonly message?: unknown };
    if (typeof name === "string" && typeof message === "string") return shorten(`${name}: ${message}`);
  } catch {
    return "an object that cannot be read";
  }
  return "an object";
}
