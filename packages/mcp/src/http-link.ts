import { setTimeout as delay } from "node:timers/promises";
import { StreamableHTTPClientTransport, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { createBoundedFetch } from "./bounded-fetch.js";
import { CONNECTION_LOST } from "./connection-lost.js";
import type { HttpServerConfig } from "./mcp-config.js";
import type { ServerLink } from "./server-link.js";
import { SESSION_FORGOTTEN, SessionForgotten } from "./session-forgotten.js";
import { createSessionProbe } from "./session-probe.js";

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
/** Time for telling the server that a request is cancelled, in ms. */
const CANCEL_MS = 5_000;
/** Answers to what the server asks that are on their way at one time; beyond, what it asks is dropped. */
const MAX_ANSWERING = 64;

/**
 * The link to a server that is reached by streamable HTTP. A request whose stream is over without an answer is answered with
 * an error: the client library leaves it open for ever. Once the server has forgotten the session the link is lost, and
 * what it turned away for that rejects with `SessionForgotten`.
 */
export function createHttpLink({ url, headers }: HttpServerConfig, options: HttpLinkOptions): ServerLink {
  /** The requests without an answer; aborting one ends its stream. */
  const open = new Map<unknown, AbortController>();
  const inner = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: createBoundedFetch(options.maxMessageBytes),
    reconnectionOptions: RECONNECTION,
  });

  const probe = createSessionProbe((message, sendOptions) => inner.send(message, sendOptions));
  let answering = 0;
  let loss: string | undefined;
  let lose: () => void = () => {};
  const lost = new Promise<void>((resolve) => (lose = resolve));

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
      const inSession = inner.sessionId !== undefined;
      const cancelled = cancelledBy(message);
      const ending = new AbortController();
      if (id !== undefined) open.set(id, ending);
      const isAnswer = !("method" in message);
      if (isAnswer) answering += 1;
      const limit = cancelled === undefined ? ending.signal : AbortSignal.timeout(CANCEL_MS);
      try {
        await inner.send(message, {
          requestSignal: requestSignal === undefined ? limit : AbortSignal.any([requestSignal, limit]),
          ...(more === undefined ? {} : { headers: more }),
          ...(id === undefined ? {} : { onRequestStreamEnd: () => fail(id) }),
        });
      } catch (error) {
        open.delete(id);
        throw inSession && (await probe.isForgotten(error)) ? forgotten(error) : error;
      } finally {
        if (isAnswer) answering -= 1;
        // A server that was told to cancel a request may hold its stream open for ever.
        open.get(cancelled)?.abort();
        open.delete(cancelled);
      }
    },
    close,
    get sessionId() {
      return inner.sessionId;
    },
    setProtocolVersion: (version) => inner.setProtocolVersion(version),
  };

  function forgotten(cause: unknown): SessionForgotten {
    loss = SESSION_FORGOTTEN;
    lose();
    return new SessionForgotten(cause);
  }

  let closing: Promise<void> | undefined;

  function close(): Promise<void> {
    return (closing ??= leave());
  }

  /** A server that knows the session is told first: closing ends the requests under way, that one included. */
  async function leave(): Promise<void> {
    const isKnown = inner.sessionId !== undefined && loss === undefined;
    const told = isKnown ? inner.terminateSession().catch(() => {}) : Promise.resolve();
    await Promise.race([told, delay(options.closeGraceMs, undefined, { ref: false })]);
    await inner.close();
  }

  function receive(message: JSONRPCMessage): void {
    if (probe.isOwn(message)) return;
    if ("method" in message && "id" in message && answering >= MAX_ANSWERING) return;
    if (!("method" in message) && message.id !== undefined) open.delete(message.id);
    transport.onmessage?.(message);
  }

  function fail(id: string | number): void {
    if (!open.has(id)) return;
    receive({ jsonrpc: "2.0", id, error: CONNECTION_LOST });
  }

  return {
    transport,
    processId: () => undefined,
    loss: () => loss,
    lost,
    isGoing: () => false,
    hints: () => "",
    close,
  };
}

/** The request that a message cancels. */
function cancelledBy(message: JSONRPCMessage): unknown {
  const isCancel = "method" in message && message.method === "notifications/cancelled";
  return isCancel ? message.params?.["requestId"] : undefined;
}
