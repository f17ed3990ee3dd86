import type { IncomingMessage } from "node:http";

/** Body of a request as parsed JSON. */
export type Body =
  { readonly type: "json"; readonly value: unknown } | { readonly type: "too-large" } | { readonly type: "malformed" };

/** Reads at most `maxBytes`; the rest of a larger body is not read. Rejects when the client goes meanwhile. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return { type: "too-large" };
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return { type: "too-large" };
    chunks.push(chunk);
  }
  try {
    return { type: "json", value: JSON.parse(Buffer.concat(chunks).toString("utf8")) };
  } catch {
    return { type: "malformed" };
  }
}
