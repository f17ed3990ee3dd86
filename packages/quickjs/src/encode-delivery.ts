import type { BridgeReply, Delivery } from "@codemode/protocol";

/**
 * JSON text of a delivery for the prelude. A reply's value is JSON text already and is put in as it is, so that it is
 * parsed once, in the guest.
 */
export function encodeDelivery(delivery: Delivery): string {
  const settled = delivery.replies.map(encodeReply).join(",");
  return `{"settled":[${settled}],"cancelled":${JSON.stringify(delivery.cancelled ?? [])}}`;
}

function encodeReply(reply: BridgeReply): string {
  if (reply.ok) return `{"id":${reply.id},"ok":true,"value":${reply.value}}`;
  const { name, message, code } = reply.error;
  return `{"id":${reply.id},"ok":false,"error":${JSON.stringify({ name, message, code: code ?? null })}}`;
}
