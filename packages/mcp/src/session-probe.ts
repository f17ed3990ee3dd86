import { SdkHttpError, type JSONRPCMessage } from "@modelcontextprotocol/client";

/** Patience with the answer to a ping, in ms. */
const PING_MS = 2_000;
const PING_ID = "codemode-ping";

/** Finds out whether a server still knows the session. */
export interface SessionProbe {
  /** Given how a request of the session was refused. Never rejects. */
  isForgotten(refusal: unknown): Promise<boolean>;
  /** Whether a message is the answer to a ping of the probe, which nobody waits for. */
  isOwn(message: JSONRPCMessage): boolean;
}

/**
 * The protocol's answer to an unknown session is 404, but widespread servers say 400, which also is what they say of a
 * bad request. The session is forgotten when they refuse even a ping in it.
 */
export function createSessionProbe(
  send: (message: JSONRPCMessage, options: { requestSignal: AbortSignal }) => Promise<void>,
): SessionProbe {
  let probing: Promise<boolean> | undefined;

  async function ping(): Promise<boolean> {
    try {
      await send({ jsonrpc: "2.0", id: PING_ID, method: "ping" }, { requestSignal: AbortSignal.timeout(PING_MS) });
      return false;
    } catch (error) {
      return [400, 404].includes(statusOf(error) ?? 0);
    }
  }

  return {
    async isForgotten(refusal) {
      const status = statusOf(refusal);
      if (status !== 400) return status === 404;
      return (probing ??= ping().finally(() => (probing = undefined)));
    },
    isOwn: (message) => !("method" in message) && message.id === PING_ID,
  };
}

function statusOf(error: unknown): number | undefined {
  return error instanceof SdkHttpError ? error.status : undefined;
}
