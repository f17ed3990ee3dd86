/** The one value walker: any JavaScript value to compact JSON text. It runs on the host and inside the VM. */
import { createWalk, nextPiece, valueText } from "./json-walk.js";
import { bareRecord, isArray, TypeErrorConstructor } from "./primordials.js";

/** Levels of nesting that are written; what lies deeper becomes a note. */
export const DEFAULT_MAX_DEPTH = 500;

export interface JsonTextOptions {
  /**
   * `plain` (default) writes a short string for what JSON cannot carry. `input` takes one object, or `undefined` as
   * `{}`, and refuses functions, symbols, promises, cycles, BigInt and the like with a TypeError that names the path.
   */
  readonly mode?: "plain" | "input";
  /** Runs no getter: where one stands, `"[Getter]"` is written. Default false. The traps of a Proxy run. */
  readonly isInert?: boolean | undefined;
  /** Asked first about every object and function; what it returns is written instead. What it throws is thrown. */
  readonly plainFormOf?: ((value: object) => { readonly plain: unknown } | undefined) | undefined;
  /** Levels of nesting that are written. Default 500. */
  readonly maxDepth?: number | undefined;
}

/** Compact JSON of a value's plain form. Always well-formed: a lone surrogate becomes U+FFFD. */
export function toJsonText(value: unknown, options: JsonTextOptions = {}): string {
  let text = "";
  writeJsonText(value, options, (piece) => {
    text += piece;
  });
  return text;
}

/**
 * Like `toJsonText`, but hands the text out in order, in pieces of whole characters, so that a caller can bound it.
 * `isAscii` is true only when it is sure.
 */
export function writeJsonText(
  value: unknown,
  options: JsonTextOptions,
  write: (piece: string, isAscii: boolean) => void,
): void {
  const { mode, isInert = false, plainFormOf, maxDepth = DEFAULT_MAX_DEPTH } = options;
  const walk = createWalk({ isInput: mode === "input", isInert, plainFormOf, maxDepth });
  let piece = valueText(walk, walk.isInput ? inputObject(value) : value) ?? "null";
  if (walk.isInput && piece !== "{") throw new TypeErrorConstructor("pass one object");
  for (;;) {
    piece += nextPiece(walk);
    write(piece, walk.isAscii);
    if (walk.frame === undefined) return;
    walk.isAscii = true;
    piece = "";
  }
}

/** The value, or what stands for a missing one. */
function inputObject(value: unknown): unknown {
  if (value === undefined) return bareRecord();
  if (typeof value === "object" && value !== null && !isArray(value)) return value;
  const kind = value === null ? "null" : typeof value === "object" ? "an array" : `a ${typeof value}`;
  throw new TypeErrorConstructor(`pass one object, not ${kind}`);
}
