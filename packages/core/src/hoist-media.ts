import { base64Bytes, isMediaBlock, type MediaBlock } from "./media-block.js";

export interface Hoisted {
  /** The value with each block's data replaced by a note of where it went. */
  readonly value: unknown;
  readonly blocks: readonly MediaBlock[];
}

export type FindMedia = (ref: string) => MediaBlock | undefined;

/** Images and sounds one answer carries; further ones stay as they are. */
const MAX_BLOCKS = 16;
/** Deeper ones stay as they are. */
const MAX_DEPTH = 32;

/**
 * Takes image and audio blocks out of JSON data, so that a model is shown them instead of their base64 text. A block that
 * the data names by the same `ref` several times is taken out once.
 *
 * Untrusted: what is no exact block stays as it is.
 *
 * @param find - Finds the block that a `ref` in the data names.
 * @param firstPlace - Index in the answer's content of the first block taken out.
 */
export function hoistMedia(value: unknown, firstPlace: number, find: FindMedia): Hoisted {
  const blocks: MediaBlock[] = [];
  const placeByRef = new Map<string, number>();

  function walk(part: unknown, depth: number): unknown {
    if (depth > MAX_DEPTH || typeof part !== "object" || part === null) return part;
    if (Array.isArray(part)) return part.map((item) => walk(item, depth + 1));
    const note = noteOf(part as Readonly<Record<string, unknown>>);
    return note ?? Object.fromEntries(Object.entries(part).map(([key, item]) => [key, walk(item, depth + 1)]));
  }

  function noteOf(part: Readonly<Record<string, unknown>>): object | undefined {
    const { ref, bytes: _, data: __, ...others } = part;
    const known = typeof ref === "string" ? placeByRef.get(ref) : undefined;
    if (known === undefined && blocks.length >= MAX_BLOCKS) return undefined;
    const kept = typeof ref === "string" ? find(ref) : undefined;
    const block = kept ?? (isMediaBlock(part) ? part : undefined);
    if (block === undefined) return undefined;
    const place = known ?? take(block);
    if (kept !== undefined) placeByRef.set(ref as string, place);
    return describe(block, place, others);
  }

  function take({ type, data, mimeType }: MediaBlock): number {
    return firstPlace + blocks.push({ type, data, mimeType }) - 1;
  }

  return { value: walk(value, 0), blocks };
}

/** What stands in the data instead of a block; `others` is what else it carries. */
function describe(
  { type, data, mimeType }: MediaBlock,
  place: number,
  others: Readonly<Record<string, unknown>>,
): object {
  return { ...others, type, mimeType, bytes: base64Bytes(data), shownAs: `content[${place}]` };
}
