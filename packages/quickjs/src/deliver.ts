import type { Delivery } from "@codemode/protocol";
import type { VmChannel } from "./channel.js";

/**
 * Hands a delivery to the prelude, in settlement order; what hangs on it runs when the jobs are run. A reply's value is
 * JSON text already, so it is parsed once, in the guest.
 */
export function deliverTo(channel: VmChannel, { replies, cancelled = [] }: Delivery): void {
  for (const id of cancelled) channel.drop(id);
  for (const reply of replies) {
    if (reply.ok) channel.resolve(reply.id, reply.value);
    else channel.reject(reply.id, JSON.stringify({ ...reply.error, code: reply.error.code ?? null }));
  }
}
