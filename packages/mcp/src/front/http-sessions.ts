// Invariant: a session is in the table from its handshake until its run is closed, and no longer.
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { FrontHost } from "./front-host.js";
import { openFrontSession, type FrontSession } from "./front-session.js";
import { createRequestIds, requestIdsOf, type IdProblem, type RequestIds } from "./request-ids.js";

/** One client over HTTP. */
export interface HttpSession {
  readonly session: FrontSession;
  /** Whether the client has shaken hands. */
  isReady(): boolean;
  /** The client asks for something after its handshake. `body` as for `handle`; it is handled only if nothing is wrong. */
  admit(body: unknown): IdProblem | undefined;
  /** `body` is the parsed one, undefined where there is none. */
  handle(request: Request, body: unknown): Promise<Response>;
  /** The exchange that `body` began is over: it was answered, or the client has gone. */
  leave(body: unknown): void;
  /** A request or stream of the client begins. Returns the function that says it is over. */
  enter(): () => void;
}

export interface HttpSessions {
  find(id: string): HttpSession | undefined;
  /**
   * A session for a client that is about to shake hands; undefined when there are too many. One that never went on after
   * its handshake makes room.
   */
  open(): Promise<HttpSession | undefined>;
  list(): readonly FrontSession[];
}

export interface HttpSessionsOptions {
  readonly maxSessions: number;
  /** How long a session lives with nothing open, in ms. */
  readonly idleTimeoutMs: number;
  /** How long a session lives whose client has sent nothing after its handshake, in ms. */
  readonly handshakeTimeoutMs: number;
}

export function createHttpSessions(host: FrontHost, options: HttpSessionsOptions): HttpSessions {
  const { maxSessions } = options;
  const byId = new Map<string, HttpSession>();
  const all = new Set<FrontSession>();
  const newcomers = createNewcomers(host, options.handshakeTimeoutMs);
  let opened = 0;

  return {
    find: (id) => byId.get(id),
    list: () => [...all],
    async open() {
      while (all.size >= maxSessions) {
        const leaving = newcomers.takeOldestIdle();
        if (leaving === undefined) return undefined;
        await leaving.close("it made room for another client");
      }
      const id = host.newId();
      const idle = createIdleTimer(options.idleTimeoutMs, () => void session.close("it was idle for too long"));
      const ids = createRequestIds();
      let hasBatches = false;
      const session = openFrontSession(host, {
        number: (opened += 1),
        tasks: "core",
        onCancelled(requestId) {
          ids.leave([requestId]);
          // Nothing more comes for it, and its stream would stay open. In a batch other answers would be lost.
          if (!hasBatches) transport.closeSSEStream(requestId);
        },
        onClosed() {
          idle.stop();
          newcomers.delete(session);
          byId.delete(id);
          all.delete(session);
        },
      });
      all.add(session);
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => id,
        onsessioninitialized() {
          byId.set(id, entry);
          newcomers.add(session, idle.isIdle);
        },
      });
      const entry: HttpSession = {
        session,
        isReady: () => byId.get(id) === entry,
        admit(body) {
          newcomers.delete(session);
          return ids.enter(body);
        },
        async handle(request, body) {
          hasBatches ||= Array.isArray(body);
          const response = await transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
          // Refused as a whole: no answers will come.
          if (!response.ok) ids.leave(requestIdsOf(body));
          return response;
        },
        leave: (body) => requestIdsOf(body).forEach(session.unheard),
        enter: idle.enter,
      };
      await session.server.connect(transport);
      freeAnswered(transport, ids);
      return entry;
    },
  };
}

/** An id is free again once its answer is on its way. */
function freeAnswered(transport: WebStandardStreamableHTTPServerTransport, ids: RequestIds): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const sending = send(message, options);
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) ids.leave([message.id]);
    return sending;
  };
}

/** Sessions whose clients have sent nothing after their handshake. Each is closed in time unless it is taken out. */
function createNewcomers({ clock }: FrontHost, timeoutMs: number) {
  const waiting = new Map<FrontSession, { readonly isIdle: () => boolean; readonly stop: () => void }>();
  const remove = (session: FrontSession): void => {
    waiting.get(session)?.stop();
    waiting.delete(session);
  };
  return {
    add(session: FrontSession, isIdle: () => boolean): void {
      const stop = clock.schedule(() => void session.close("it did not go on after its handshake"), timeoutMs);
      waiting.set(session, { isIdle, stop });
    },
    delete: remove,
    takeOldestIdle(): FrontSession | undefined {
      const [oldest] = [...waiting].find(([, { isIdle }]) => isIdle()) ?? [];
      if (oldest !== undefined) remove(oldest);
      return oldest;
    },
  };
}

/** Calls `onIdle` once nothing has been open for a while. */
function createIdleTimer(idleTimeoutMs: number, onIdle: () => void) {
  let open = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  return {
    enter(): () => void {
      open += 1;
      clearTimeout(timer);
      return () => {
        open -= 1;
        if (open === 0 && !isStopped) timer = setTimeout(onIdle, idleTimeoutMs).unref();
      };
    },
    isIdle: () => open === 0,
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
