/**
 * The one value walker: any JavaScript value to compact JSON text. It runs on the host and inside the VM.
 *
 * Invariants: it never recurses (the engine's stack is small and may be nearly used up), reads each getter at most
 * once, and calls only captured built-ins, so that nothing a hostile cell replaced takes part.
 */
import { objectForm } from "./object-form.js";
import { note, symbolNote, throwsNote, type PlainForm, type PlainNote } from "./plain-form.js";
import { bareRecord, isArray, stringify, TypeErrorConstructor, wellFormed } from "./primordials.js";
import { pathOf } from "./value-path.js";

/** Levels of nesting that are written; what lies deeper becomes a note. */
export const DEFAULT_MAX_DEPTH = 500;
/** Length at which pending text is handed to the sink, in UTF-16 units. */
const CHUNK_LENGTH = 16_384;
const MAX_CACHED_KEYS = 512;
const MAX_CACHED_KEY_LENGTH = 64;

export interface JsonTextOptions {
  /**
   * `plain` (default) writes a short string for what JSON cannot carry. `input` takes one object, or `undefined` as
   * `{}`, and refuses functions, symbols, promises, cycles, BigInt and the like with a TypeError that names the path.
   */
  readonly mode?: "plain" | "input";
  /** Asked first about every object and function; what it returns is written instead. What it throws is thrown. */
  readonly plainFormOf?: (value: object) => { readonly plain: unknown } | undefined;
  /** Levels of nesting that are written. Default 500. */
  readonly maxDepth?: number;
}

/** Compact JSON of a value's plain form. Always well-formed: a lone surrogate becomes U+FFFD. */
export function toJsonText(value: unknown, options: JsonTextOptions = {}): string {
  let text = "";
  writeJsonText(value, options, (piece) => {
    text += piece;
  });
  return text;
}

/** Like `toJsonText`, but hands the text out in order, in pieces of whole characters, so that a caller can bound it. */
export function writeJsonText(value: unknown, options: JsonTextOptions, write: (piece: string) => void): void {
  const walk: Walk = {
    isInput: options.mode === "input",
    plainFormOf: options.plainFormOf,
    maxDepth: options.maxDepth ?? DEFAULT_MAX_DEPTH,
    write,
    frame: undefined,
    quotedKeys: bareRecord() as Record<string, string>,
    cachedKeys: 0,
  };
  const start = memberText(walk, walk.isInput ? inputObject(value) : value) ?? "null";
  if (walk.isInput && start !== "{") throw notOneObject();
  write(start);
  while (walk.frame !== undefined) writeMembers(walk, walk.frame);
}

interface Walk {
  readonly isInput: boolean;
  readonly plainFormOf: JsonTextOptions["plainFormOf"];
  readonly maxDepth: number;
  /** Text not yet handed out. */
  pending: string;
  /** The innermost open container. */
  frame: Frame | undefined;
  /** Keys met before, with quotes and colon. */
  readonly quotedKeys: Record<string, string>;
  cachedKeys: number;
}

/** One open container: an array, or an object when it has names. */
interface Frame {
  readonly parent: Frame | undefined;
  readonly depth: number;
  /** The value itself, by which a cycle is recognised. */
  readonly origin: object;
  /** Where members are read. */
  readonly source: object;
  readonly names: readonly string[] | undefined;
  readonly length: number;
  next: number;
  isEmpty: boolean;
}

function inputObject(value: unknown): unknown {
  if (value === undefined) return bareRecord();
  if (typeof value === "object" && value !== null && !isArray(value)) return value;
  throw notOneObject();
}

function notOneObject(): TypeError {
  return new TypeErrorConstructor("pass one object");
}

/** Writes members up to the first one that is a container, which is opened, or closes this container. */
function writeMembers(walk: Walk, frame: Frame): void {
  const { names, length } = frame;
  const source = frame.source as Record<string | number, unknown>;
  let pending = "";
  let index = frame.next;
  let comma = index === 0 ? "" : ",";
  while (index < length) {
  }
}
