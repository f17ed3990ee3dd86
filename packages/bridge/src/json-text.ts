/** The one value walker: any JavaScript value to compact JSON text. It runs on the host and inside the VM. */
import { beginWalk, endWalk, nextPiece, valueText, type Walk, type WalkMode } from "./json-walk.js";
import { bareRecord, isArray, ownFields, TypeErrorConstructor } from "./primordials.js";

/** Levels of nesting that are written; what lies deeper becomes a note. */
export const DEFAULT_MAX_DEPTH = 500;

export interface JsonTextOptions {
  /**
   * `plain` (default) writes a short string for what JSON cannot carry. `input` takes one object, or `undefined` as
   * `{}`, and refuses functions, symbols, promises, cycles, BigInt and the like with a TypeError that names the path.
   * `inert` is plain but runs no getter: where one stands, `"[Getter]"` is written. The traps of a Proxy run.
   */
  readonly mode?: WalkMode | undefined;
  /** Asked first about every object and function; what it returns is written instead. What it throws is thrown. */
  readonly plainFormOf?: ((value: object) => { readonly plain: unknown } | undefined) | undefined;
  /** Asked about every promise; what it returns is written instead of the note that says to await it. */
  readonly promiseFormOf?: ((promise: object) => { readonly plain: unknown } | undefined) | undefined;
  /** Levels of nesting that are written. Default 500. */
  readonly maxDepth?: number | undefined;
}

/** Compact JSON of a value's plain form. Always well-formed: a lone surrogate becomes U+FFFD. */
export function toJsonText(value: unknown, options: JsonTextOptions = NO_OPTIONS): string {
  const walk = walkFor(options);
  let text = firstPiece(walk, value);
  while (walk.frame !== undefined) text += nextPiece(walk);
  endWalk(walk);
  return text;
}

const NO_OPTIONS: JsonTextOptions = {};

/**
 * Like `toJsonText`, but hands the text out in order, in pieces of whole characters, so that a caller can bound it.
 * `isAscii` is true only when it is sure.
 */
export function writeJsonText(
  value: unknown,
  options: JsonTextOptions,
  write: (piece: string, isAscii: boolean) => void,
): void {
  const walk = walkFor(options);
  let piece = firstPiece(walk, value);
  for (;;) {
    if (walk.frame !== undefined) piece += nextPiece(walk);
    write(piece, walk.isAscii);
    if (walk.frame === undefined) break;
    walk.isAscii = true;
    piece = "";
  }
  endWalk(walk);
}

/** An absent option is absent, whatever a cell gave Object.prototype. */
function walkFor(options: JsonTextOptions): Walk {
  const { mode = "plain", plainFormOf, promiseFormOf, maxDepth = DEFAULT_MAX_DEPTH } = ownFields(options);
  return beginWalk(mode, { plainFormOf, promiseFormOf }, maxDepth);
}

/** A primitive, or the opening of a container, which is then `walk.frame`. */
function firstPiece(walk: Walk, value: unknown): string {
  const piece = valueText(walk, walk.isInput ? inputObject(value) : value) ?? "null";
  if (walk.isInput && piece !== "{") throw new TypeErrorConstructor("pass one object");
  return piece;
}

/** The value, or what stands for a missing one. */
function inputObject(value: unknown): unknown {
  if (value === undefined) return bareRecord();
  if (typeof value === "object" && value !== null && !isArray(value)) return value;
  const kind = value === null ? "null" : typeof value === "object" ? "an array" : `a ${typeof value}`;
  throw new TypeErrorConstructor(`pass one object, not ${kind}`);
}
