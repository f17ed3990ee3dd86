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
  return reply.ok
    ? `{"id":${reply.id},"value":${reply.value}}`
    : `{"id":${reply.id},"error":${JSON.stringify(reply.error)}}`;
}
