import type { ServerLink } from "./server-link.js";
import type { ServerSession } from "./server-session.js";

/** One life of a server: a process of ours, or a session with one that is reached by HTTP. Owned: `close` it. */
export interface ServerLife {
  readonly link: ServerLink;
  readonly session: ServerSession;
  /** As the session's. */
  request: ServerSession["request"];
  /** Closes it once nothing that was asked of it is open. */
  retire(): Promise<void>;
  close(): Promise<void>;
}

export function createServerLife(link: ServerLink, session: ServerSession): ServerLife {
  let underWay = 0;
  let onIdle: (() => void) | undefined;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= session.close());
  return {
    link,
    session,
    async request(method, params, control) {
      underWay += 1;
      try {
        return await session.request(method, params, control);
      } finally {
        underWay -= 1;
        if (underWay === 0) onIdle?.();
      }
    },
    async retire() {
      if (underWay > 0) await new Promise<void>((resolve) => (onIdle = resolve));
      await close();
    },
    close,
  };
}
