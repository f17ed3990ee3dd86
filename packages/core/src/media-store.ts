import type { ImageClaim } from "@codemode/bridge";
import type { CodeModeOutput, ContentBlock } from "@codemode/protocol";
import { base64Bytes, isMediaBlock, type MediaBlock } from "./media-block.js";

/** Longest base64 text of a block that crosses to the guest, in characters. */
const MAX_INLINE_CHARS = 1_024;
/** Base64 text kept for one run, in characters; the oldest block goes first. */
const MAX_KEPT_CHARS = 64 * 1024 * 1024;

/** Data of content blocks that guests know by a reference only. Owned by a run: `clear` it. */
export interface MediaStore {
  /** The blocks as the guest gets them: data above 1 KiB stays here. Untrusted: they come from a server. */
  setAside(blocks: readonly ContentBlock[]): readonly ContentBlock[];
  /** The output item for what a guest hands on; a note where the block is no longer kept or is no picture or sound. */
  show(claim: ImageClaim): CodeModeOutput;
  find(ref: string): MediaBlock | undefined;
  clear(): void;
}

export function createMediaStore(newId: () => string, maxKeptChars = MAX_KEPT_CHARS): MediaStore {
  const kept = new Map<string, ContentBlock & { readonly data: string }>();
  let chars = 0;

  function keep(block: ContentBlock & { readonly data: string }): string {
    const ref = `media_${newId()}`;
    kept.set(ref, block);
    chars += block.data.length;
    for (const [oldest, { data }] of kept) {
      if (chars <= maxKeptChars) break;
      kept.delete(oldest);
      chars -= data.length;
    }
    return ref;
  }

  function find(ref: string): MediaBlock | undefined {
    const block = kept.get(ref);
    return block !== undefined && isMediaBlock(block)
      ? { type: block.type, data: block.data, mimeType: block.mimeType }
      : undefined;
  }

  return {
    find,
    setAside: (blocks) =>
      blocks.map((block) => {
        const data: unknown = block?.["data"];
        if (typeof data !== "string" || data.length <= MAX_INLINE_CHARS) return block;
        const { data: _, ...others } = block;
        return { ...others, type: block.type, ref: keep({ ...block, data }), bytes: base64Bytes(data) };
      }),
    show({ kind, mimeType, ref, data }) {
      const own = data === undefined ? undefined : { type: kind, mimeType, data };
      const shown = ref ?? (own !== undefined && isMediaBlock(own) ? keep(own) : "");
      const block = find(shown);
      if (block === undefined)
        return { type: "text", text: `[${kind} that cannot be shown: its data is not kept, or is none]` };
      return { type: "image", ref: shown, mimeType: block.mimeType, bytes: base64Bytes(block.data) };
    },
    clear() {
      kept.clear();
      chars = 0;
    },
  };
}
