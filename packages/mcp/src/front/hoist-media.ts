import { isObject } from "../is-object.js";

export interface Hoisted {
  /** The value with each block's data replaced by a note of where it went. */
  readonly value: unknown;
  readonly blocks: readonly MediaBlock[];
}

export interface MediaBlock {
  readonly type: "image" | "audio";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export type FindMedia = (ref: string) => MediaBlock | undefined;

/** Images and sounds one answer carries; further ones stay text. */
const MAX_BLOCKS = 16;
/** Deeper ones stay text. */
const MAX_DEPTH = 32;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const MIME_TYPE = /^(image|audio)\/[a-z0-9.+-]{1,60}$/i;

/**
 * Takes MCP image and audio blocks out of JSON data, so that a client shows them instead of their base64 text.
 *
 * Untrusted: what is no exact block (its own type's media type, whole base64) stays as it is.
 *
 * @param find - Finds the block that a `ref` in the data names; data of large blocks is kept by the run.
 * @param firstPlace - Index in the answer's content of the first block taken out.
 */
export function hoistMedia(value: unknown, firstPlace: number, find: FindMedia = () => undefined): Hoisted {
  const blocks: MediaBlock[] = [];

  function walk(part: unknown, depth: number): unknown {
    if (depth > MAX_DEPTH || typeof part !== "object" || part === null) return part;
    if (Array.isArray(part)) return part.map((item) => walk(item, depth + 1));
    const block = part as Record<string, unknown>;
    if (blocks.length < MAX_BLOCKS) {
      if (isMedia(block)) return takeOut(block);
      const kept = typeof block["ref"] === "string" ? find(block["ref"]) : undefined;
      if (kept !== undefined) {
        const { ref: _ref, bytes: _bytes, ...others } = block;
        return takeOut({ ...others, ...kept });
      }
    }
    return Object.fromEntries(Object.entries(block).map(([key, item]) => [key, walk(item, depth + 1)]));
  }

  function takeOut({ type, data, mimeType, ...rest }: MediaBlock): unknown {
    const { annotations, ...others } = rest as Record<string, unknown>;
    const shownAs = `content[${firstPlace + blocks.length}]`;
    blocks.push({ type, data, mimeType });
    return {
      type,
      mimeType,
      bytes: Buffer.byteLength(data, "base64"),
      shownAs,
      ...(annotations === undefined ? {} : { annotations }),
      ...others,
    };
  }

  return { value: walk(value, 0), blocks };
}

function isMedia(value: unknown): value is MediaBlock {
  if (!isObject(value)) return false;
  const { type, data, mimeType } = value;
  if (typeof data !== "string" || data === "" || typeof mimeType !== "string") return false;
  return MIME_TYPE.exec(mimeType)?.[1]?.toLowerCase() === type && BASE64.test(data);
}
