// Invariant: a session is in the table from its handshake until its run is closed, and no longer.
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { FrontHost } from "./front-host.js";
import { openFrontSession, type FrontSession } from "./front-session.js";

/** One client over HTTP. */
export interface HttpSession {
  readonly session: FrontSession;
  /** Whether the client has shaken hands. */
  isReady(): boolean;
  /** `body` is the parsed one, undefined where there is none. */
  handle(request: Request, body: unknown): Promise<Response>;
  /** A request or stream of the client begins. Returns the function that says it is over. */
  enter(): () => void;
}

export interface HttpSessions {
  find(id: string): HttpSession | undefined;
  /** A session for a client that is about to shake hands; undefined when there are too many. */
  open(): Promise<HttpSession | undefined>;
  list(): readonly FrontSession[];
}

export interface HttpSessionsOptions {
  readonly maxSessions: number;
  /** How long a session lives with nothing open, in ms. */
  readonly idleTimeoutMs: number;
}

export function createHttpSessions(host: FrontHost, { maxSessions, idleTimeoutMs }: HttpSessionsOptions): HttpSessions {
  const byId = new Map<string, HttpSession>();
  const all = new Set<FrontSession>();
  let opened = 0;

  return {
    find: (id) => byId.get(id),
    list: () => [...all],
    async open() {
      if (all.size >= maxSessions) return undefined;
      const id = host.newId();
      const idle = createIdleTimer(idleTimeoutMs, () => void session.close("it was idle for too long"));
      let hasBatches = false;
      const session = openFrontSession(host, {
        number: (opened += 1),
        hasTasks: true,
        onCancelled(requestId) {
          // Nothing more comes for it, and its stream would stay open. In a batch other answers would be lost.
          if (!hasBatches) transport.closeSSEStream(requestId);
        },
        onClosed() {
          idle.stop();
          byId.delete(id);
          all.delete(session);
        },
      });
      all.add(session);
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => id,
        onsessioninitialized: () => void byId.set(id, entry),
      });
      const entry: HttpSession = {
        session,
        isReady: () => byId.get(id) === entry,
        handle(request, body) {
          hasBatches ||= Array.isArray(body);
          return transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
        },
        enter: idle.enter,
      };
      await session.server.connect(transport);
      return entry;
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
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
