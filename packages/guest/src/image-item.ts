import { RangeErrorConstructor, TypeErrorConstructor, stringifyJson } from "./primordials.js";

/** Longest base64 text of a block that is handed on as it is; what is longer stayed with the host, behind a `ref`. */
const MAX_INLINE_CHARS = 1_024;
/** Longest `ref` and media type, in characters. */
const MAX_FIELD_CHARS = 100;
const ADVICE = "pass an image or audio block of a tool's result, such as result.content[0].";

/** JSON text of the output item for a content block. Getters of the block may run. */
export function imageItem(block: unknown): string {
  if (typeof block !== "object" || block === null) throw wrong(block === null ? "null" : typeof block);
  const { type, mimeType, ref, data } = block as Record<string, unknown>;
  if (type !== "image" && type !== "audio") throw wrong("a value that is no image or audio block");
  const head = `{"type":"image","kind":"${type}"`;
  const media = `"mimeType":${stringifyJson(short(mimeType, "mimeType"))}`;
  if (ref !== undefined) return `${head},${media},"ref":${stringifyJson(short(ref, "ref"))}}`;
  if (typeof data !== "string") throw wrong("a block without ref and data");
  if (data.length > MAX_INLINE_CHARS) {
    throw new RangeErrorConstructor(
      `image takes data of at most ${MAX_INLINE_CHARS} characters, but got ${data.length}: blocks of MCP tools have a ref instead.`,
    );
  }
  return `${head},${media},"data":${stringifyJson(data)}}`;
}

function short(value: unknown, field: string): string {
  if (typeof value === "string" && value.length <= MAX_FIELD_CHARS) return value;
  throw wrong(`a block whose ${field} is no short text`);
}

function wrong(got: string): TypeError {
  return new TypeErrorConstructor(`image got ${got}: ${ADVICE}`);
}
