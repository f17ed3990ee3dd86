import { cutUtf8 } from "./byte-length.js";
import { execute, slice, stringify, wellFormed } from "./primordials.js";

/** One open container on the way to a value; its current member is the one before `next`. */
export interface PathStep {
  readonly parent: PathStep | undefined;
  /** Keys of an object; absent for an array. */
  readonly names: readonly string[] | undefined;
  readonly next: number;
}

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const MAX_KEY_BYTES = 80;
const MAX_PATH_LENGTH = 200;

/** Path of the current member, such as `input.items[3].callback`. Long paths keep their end. */
export function pathOf(root: string, innermost: PathStep | undefined): string {
  let path = "";
  for (let step = innermost; step !== undefined; step = step.parent) {
    path = segmentOf(step) + path;
    if (path.length > MAX_PATH_LENGTH) return `${root}…${slice(path, path.length - MAX_PATH_LENGTH)}`;
  }
  return root + path;
}

function segmentOf(step: PathStep): string {
  const index = step.next - 1;
  if (step.names === undefined) return `[${index}]`;
  const key = cutUtf8(step.names[index] as string, MAX_KEY_BYTES);
  return execute(IDENTIFIER, key) === null ? `[${stringify(wellFormed(key))}]` : `.${key}`;
}
