import { encodeReplies } from "@codemode/bridge";
import type { Delivery } from "@codemode/protocol";

/** JSON text of a delivery for the prelude's channel. */
export function encodeDelivery({ replies, cancelled = [] }: Delivery): string {
  return `{"settled":${encodeReplies(replies)},"cancelled":${JSON.stringify(cancelled)}}`;
}
