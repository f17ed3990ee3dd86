const MIME_TYPE = /^(image|audio)\/[a-z0-9.+-]{1,60}$/i;
/** Together with a length that is a multiple of four. A group for each four characters would overflow on large data. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** A picture or sound as MCP has it. */
export interface MediaBlock {
  readonly type: "image" | "audio";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** Whether an untrusted value is an exact block: its own type's media type, and whole base64. It may carry more. */
export function isMediaBlock(value: object): value is MediaBlock {
  const { type, mimeType, data } = value as Readonly<Record<string, unknown>>;
  if (typeof mimeType !== "string" || typeof data !== "string") return false;
  if (data === "" || data.length % 4 !== 0 || !BASE64.test(data)) return false;
  return MIME_TYPE.exec(mimeType)?.[1]?.toLowerCase() === type;
}

/** Size of whole base64 text once decoded, in bytes. */
export function base64Bytes(data: string): number {
  return Buffer.byteLength(data, "base64");
}
