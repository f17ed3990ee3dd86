/**
 * The loop of the one value walker.
 *
 * Invariants: it never recurses (the engine's stack is small and may be nearly used up), reads each getter at most
 * once, and calls only captured built-ins, so that nothing a hostile cell replaced takes part.
 */
import { inertForm } from "./inert-form.js";
import { objectForm, plainKeys } from "./object-form.js";
import { note, PROMISE_NOTE, symbolNote, throwsNote, type PlainForm, type PlainNote } from "./plain-form.js";
import { bareRecord, execute, stringify, TypeErrorConstructor, wellFormed } from "./primordials.js";
import { pathOf } from "./value-path.js";

/** Length at which pending text is handed out, in UTF-16 units. */
const PIECE_LENGTH = 8192;
/** Finds what is not ASCII or needs an escape; a text without any is its own JSON, in quotes. */
const NEEDS_CARE = /[^ !#-[\]-~]/;
const MAX_CACHED_KEYS = 512;
const MAX_CACHED_KEY_LENGTH = 64;
/** Stands in a closed frame, so that it keeps no value alive. */
const NOTHING = bareRecord();

/** Keys met before, with quotes and colon; only ASCII ones. */
let quotedKeys = bareRecord() as Record<string, string>;
let cachedKeys = 0;

/** What stands for a value, if anything does. */
type FormOf = ((value: object) => { readonly plain: unknown } | undefined) | undefined;

/** As `JsonTextOptions.mode` says. */
export type WalkMode = "plain" | "input" | "inert";

/** One walk through a value. */
export interface Walk {
  isInput: boolean;
  isInert: boolean;
  plainFormOf: FormOf;
  promiseFormOf: FormOf;
  maxDepth: number;
  /** The innermost open container. */
  frame: Frame | undefined;
  /** The outermost container's frame, once there was one; the deeper ones hang on it. */
  root: Frame | undefined;
  /** Whether the current piece is known to hold ASCII only. */
  isAscii: boolean;
}

/** A finished walk, to be used again: in an interpreter, making one costs more than a small value takes to write. */
let spare: Walk | undefined;

/** Begins a walk. It may begin another while it runs, through a getter. */
export function beginWalk(
  mode: WalkMode,
  { plainFormOf, promiseFormOf }: Pick<Walk, "plainFormOf" | "promiseFormOf">,
  maxDepth: number,
): Walk {
  const isInput = mode === "input";
  const isInert = mode === "inert";
  const walk = spare;
  if (walk === undefined) {
    return { isInput, isInert, plainFormOf, promiseFormOf, maxDepth, frame: undefined, root: undefined, isAscii: true };
  }
  spare = undefined;
  walk.isInput = isInput;
  walk.isInert = isInert;
  walk.plainFormOf = plainFormOf;
  walk.promiseFormOf = promiseFormOf;
  walk.maxDepth = maxDepth;
  walk.isAscii = true;
  return walk;
}

/** Ends a walk that has written everything; one that threw is left alone. */
export function endWalk(walk: Walk): void {
  walk.plainFormOf = undefined;
  walk.promiseFormOf = undefined;
  spare = walk;
}

/** One open container: an array, or an object when it has names. Frames are used again for later containers. */
interface Frame {
  readonly parent: Frame | undefined;
  readonly depth: number;
  /** The frame one level deeper, once there was one. */
  child: Frame | undefined;
  /** The value itself, by which a cycle is recognised. */
  origin: object;
  /** Where members are read. */
  source: object;
  names: readonly string[] | undefined;
  length: number;
  /** Index of the member to write next. */
  next: number;
  /** What stands before it: nothing, or a comma. */
  comma: string;
}

/** Writes on until a piece is full or every container is closed. Hot, so numbers and strings are done in place. */
export function nextPiece(walk: Walk): string {
  let text = "";
  for (let frame = walk.frame; frame !== undefined && text.length < PIECE_LENGTH; frame = walk.frame) {
    const { names, length } = frame;
    const source = frame.source as Record<string | number, unknown>;
    let { next, comma } = frame;
    while (next < length && text.length < PIECE_LENGTH) {
      const key = names === undefined ? next : (names[next] as string);
      next++;
      let value: unknown;
      try {
        value = source[key];
      } catch (error) {
        frame.next = next;
        value = noteText(walk, throwsNote(error));
      }
      let member: string | undefined;
      if (typeof value === "number") member = value - value === 0 ? `${value}` : "null";
      else if (typeof value === "string") member = quoted(walk, value);
      else {
        frame.next = next;
        member = valueText(walk, value);
        if (member === undefined) continue;
      }
      text +=
        names === undefined ? comma + member : comma + (quotedKeys[key] ?? quotedKey(walk, key as string)) + member;
      comma = ",";
      if (walk.frame !== frame) break;
    }
    frame.next = next;
    frame.comma = comma;
    if (walk.frame === frame && next === length) {
      text += names === undefined ? "]" : "}";
      frame.origin = frame.source = NOTHING;
      frame.names = undefined;
      walk.frame = frame.parent;
    }
  }
  return text;
}

/**
 * JSON text of one value; of a container its opening bracket, and the container is then `walk.frame`. Undefined for a
 * member of an object that is left out.
 */
export function valueText(walk: Walk, value: unknown): string | undefined {
  if (value === null) return "null";
  if (typeof value === "object") return objectText(walk, value);
  switch (typeof value) {
    case "string":
      return quoted(walk, value);
    case "number":
      return value - value === 0 ? `${value}` : "null";
    case "boolean":
      return value ? "true" : "false";
    case "bigint":
      return walk.isInput ? refuse(walk, "is a BigInt, which JSON cannot carry") : `"${value}"`;
    case "symbol":
      return quoted(walk, noteText(walk, symbolNote(value)));
    case "function":
      return objectText(walk, value);
    default:
      return walk.frame?.names === undefined ? "null" : undefined;
  }
}

function objectText(walk: Walk, value: object): string | undefined {
  const replacement = walk.plainFormOf?.(value);
  if (replacement === undefined) return formText(walk, value, value);
  const { plain } = replacement;
  const isContainer = typeof plain === "function" || (typeof plain === "object" && plain !== null);
  return isContainer ? formText(walk, plain, value) : valueText(walk, plain);
}

/** Text of `value` in the place of `origin`; they differ when it was replaced. */
function formText(walk: Walk, value: object, origin: object): string | undefined {
  for (let open = walk.frame; open !== undefined; open = open.parent) {
    if (open.origin === origin) return quoted(walk, noteText(walk, CIRCULAR));
  }
  let names: readonly string[] | undefined;
  let form: PlainForm | undefined;
  try {
    if (walk.isInert) form = inertForm(value);
    else {
      names = plainKeys(value);
      if (names === undefined) form = objectForm(value);
    }
  } catch (error) {
    form = walk.isInert ? UNREADABLE : throwsNote(error);
  }
  if (form === PROMISE_NOTE) {
    const settled = walk.promiseFormOf?.(value);
    if (settled !== undefined) return valueText(walk, settled.plain);
  }
  if (form !== undefined && form.type !== "members") {
    return form.type === "value" ? valueText(walk, form.value) : quoted(walk, noteText(walk, form));
  }
  if (walk.frame?.depth === walk.maxDepth) return quoted(walk, noteText(walk, tooDeep(walk.maxDepth)));
  const frame = openFrame(walk, origin);
  if (form === undefined) {
    frame.source = value;
    frame.names = names;
    frame.length = (names as readonly string[]).length;
    return "{";
  }
  frame.source = form.source;
  frame.names = form.names;
  frame.length = form.length;
  return form.names === undefined ? "[" : "{";
}

/** The frame one level deeper, made or used again, as the new innermost one. */
function openFrame(walk: Walk, origin: object): Frame {
  const parent = walk.frame;
  let frame = parent === undefined ? walk.root : parent.child;
  if (frame === undefined) {
    const depth = parent === undefined ? 1 : parent.depth + 1;
    frame = {
      parent,
      depth,
      child: undefined,
      origin,
      source: origin,
      names: undefined,
      length: 0,
      next: 0,
      comma: "",
    };
    if (parent === undefined) walk.root = frame;
    else parent.child = frame;
  }
  frame.origin = origin;
  frame.next = 0;
  frame.comma = "";
  walk.frame = frame;
  return frame;
}

const UNREADABLE = note("[Throws]", "cannot be read");
const CIRCULAR = note("[Circular]", "refers back to an object around it, which JSON cannot carry");

function tooDeep(maxDepth: number): PlainNote {
  return note("[Truncated: depth]", `is nested deeper than ${maxDepth} levels`);
}

function noteText(walk: Walk, { text, problem }: PlainNote): string {
  return walk.isInput ? refuse(walk, problem) : text;
}

function refuse(walk: Walk, problem: string): never {
  throw new TypeErrorConstructor(`${pathOf("input", walk.frame)} ${problem}`);
}

function quoted(walk: Walk, text: string): string {
  if (execute(NEEDS_CARE, text) === null) return `"${text}"`;
  walk.isAscii = false;
  return stringify(wellFormed(text));
}

function quotedKey(walk: Walk, key: string): string {
  if (execute(NEEDS_CARE, key) !== null) return `${quoted(walk, key)}:`;
  const text = `"${key}":`;
  if (key.length > MAX_CACHED_KEY_LENGTH) return text;
  if (cachedKeys === MAX_CACHED_KEYS) {
    quotedKeys = bareRecord() as Record<string, string>;
    cachedKeys = 0;
  }
  quotedKeys[key] = text;
  cachedKeys++;
  return text;
}
