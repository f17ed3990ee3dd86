import { setTimeout as delay } from "node:timers/promises";
import { StreamableHTTPClientTransport, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { createBoundedFetch } from "./bounded-fetch.js";
import type { HttpServerConfig } from "./mcp-config.js";
import type { ServerLink } from "./server-link.js";

export interface HttpLinkOptions {
  readonly maxMessageBytes: number;
  /** Time for telling the server that the session is over, in ms. */
  readonly closeGraceMs: number;
}

/** How a stream that broke is taken up again, where the server numbers its events. */
const RECONNECTION = {
  initialReconnectionDelay: 200,
  maxReconnectionDelay: 5_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 5,
};
/** Of JSON-RPC: the server's side failed. */
const CONNECTION_LOST = -32_000;

/**
 * The link to a server that is reached by streamable HTTP. A request whose stream is over without an answer is answered with
 * an error: the client library leaves it open for ever.
 */
export function createHttpLink({ url, headers }: HttpServerConfig, options: HttpLinkOptions): ServerLink {
  const open = new Set<string | number>();
  const inner = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: createBoundedFetch(options.maxMessageBytes),
    reconnectionOptions: RECONNECTION,
  });

  const transport: Transport = {
    hasPerRequestStream: true,
    async start() {
      inner.onmessage = receive;
      inner.onclose = () => transport.onclose?.();
      inner.onerror = (error) => transport.onerror?.(error);
      await inner.start();
    },
    async send(message, { requestSignal, headers: more } = {}) {
      const id = "method" in message && "id" in message ? message.id : undefined;
      const perRequest = {
        ...(requestSignal === undefined ? {} : { requestSignal }),
        ...(more === undefined ? {} : { headers: more }),
      };
      if (id === undefined) return inner.send(message, perRequest);
      open.add(id);
      try {
        await inner.send(message, { ...perRequest, onRequestStreamEnd: () => fail(id) });
      } catch (error) {
        open.delete(id);
        throw error;
      }
    },
    close,
    get sessionId() {
      return inner.sessionId;
    },
    setProtocolVersion: (version) => inner.setProtocolVersion(version),
  };

  let closing: Promise<void> | undefined;

  function close(): Promise<void> {
    return (closing ??= leave());
  }

  /** The server is told first: closing ends the requests under way, that one included. */
  async function leave(): Promise<void> {
    const told = inner.sessionId === undefined ? Promise.resolve() : inner.terminateSession().catch(() => {});
    await Promise.race([told, delay(options.closeGraceMs, undefined, { ref: false })]);
    await inner.close();
  }

  function receive(message: JSONRPCMessage): void {
    if (!("method" in message) && message.id !== undefined) open.delete(message.id);
    transport.onmessage?.(message);
  }

  function fail(id: string | number): void {
    if (!open.has(id)) return;
    const error = { code: CONNECTION_LOST, message: "the connection broke before the answer came" };
    receive({ jsonrpc: "2.0", id, error });
  }

  return {
    transport,
    processId: () => undefined,
    loss: () => undefined,
    lost: new Promise(() => {}),
    isGoing: () => false,
    hints: () => "",
    close,
  };
}
