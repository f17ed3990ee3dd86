import type { FrontSession } from "./front-session.js";

/** Where clients come from. Owned by the front. */
export interface Listener {
  readonly url: string | undefined;
  /** Settles when no client can come any more. */
  readonly over: Promise<void>;
  sessions(): readonly FrontSession[];
  /** Ends every session, then the listening. Idempotent. */
  close(reason: string): Promise<void>;
}
