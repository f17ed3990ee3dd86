import type { BridgeReply } from "@codemode/protocol";

/**
 * JSON text of settled requests for the guest, in settlement order. A reply's value is JSON text already and is put in as
 * it is, so that it is parsed once, in the guest. Every field is always present: the guest reads none from a prototype.
 */
export function encodeReplies(replies: readonly BridgeReply[]): string {
  return `[${replies.map(encodeReply).join(",")}]`;
}

function encodeReply(reply: BridgeReply): string {
  if (reply.ok) return `{"id":${reply.id},"ok":true,"value":${reply.value}}`;
  const { name, message, code } = reply.error;
  return `{"id":${reply.id},"ok":false,"error":${JSON.stringify({ name, message, code: code ?? null })}}`;
}
