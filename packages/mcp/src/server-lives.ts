// Invariant: at most one attempt to begin a life is under way, and none after `close` has settled.
import type { RestartBackoff } from "./restart-backoff.js";
import type { ServerLife } from "./server-life.js";
import type { ServerSession } from "./server-session.js";
import {
  closedFailure,
  describeLoss,
  isServerFailure,
  labelOf,
  serverFailure,
  wasTurnedAway,
} from "./session-failures.js";
import { untilAborted } from "./until-aborted.js";

/** A server that begins a new life when it is asked for something after its end. Owned: `close` it. */
export interface ServerLives extends Pick<ServerSession, "request" | "capabilities"> {
  /** The present life, or the last one. */
  present(): ServerLife;
  /** Ends every life and an attempt under way. Settles when nothing is left. Idempotent. */
  close(): Promise<void>;
}

/** A server has begun a new life: what it held before is lost. */
export interface Revival {
  /** What ended the life before, in words of this package. */
  readonly reason: string;
  /** What the server said last, on one line. Untrusted: it may hold anything the server knows. */
  readonly hint?: string;
  /** How many attempts it took, from 1. */
  readonly attempt: number;
}

export interface ServerLivesOptions {
  /** As configured. */
  readonly name: string;
  /** False: a server that is gone stays gone. */
  readonly isRevivable: boolean;
  readonly backoff: RestartBackoff;
  /** Begins a life within its own time limit. When it rejects, nothing is left behind. */
  readonly open: (signal: AbortSignal) => Promise<ServerLife>;
  /** Must not throw. */
  readonly onRevived: (revival: Revival) => void;
}

/** The time between two lives. */
interface Absence {
  readonly ended: Omit<Revival, "attempt">;
  /** What went wrong last. */
  problem: string;
  attempts: number;
}

export function createServerLives(first: ServerLife, options: ServerLivesOptions): ServerLives {
  const { name, backoff } = options;
  const closing = new AbortController();
  const retired = new Set<ServerLife>();
  let life = first;
  let attempt: Promise<ServerLife> | undefined;
  let absence: Absence | undefined;
  follow(first);

  function follow(next: ServerLife): void {
    backoff.started();
    void next.link.lost.then(() => noteLoss(next));
  }

  function noteLoss(which: ServerLife): void {
    if (which !== life || absence !== undefined) return;
    const state = which.session.state();
    const { loss: reason = "", hints } = state;
    absence = { ended: hints === "" ? { reason } : { reason, hint: hints }, problem: describeLoss(state), attempts: 0 };
    backoff.ended();
  }

  function isOver(): boolean {
    return options.isRevivable && (life.link.isGoing() || life.link.loss() !== undefined);
  }

  /** A life after the one that is over. */
  async function nextLife(signal: AbortSignal | undefined): Promise<ServerLife> {
    closing.signal.throwIfAborted();
    signal?.throwIfAborted();
    if (life.link.isGoing()) await untilAborted(life.link.lost, signal);
    closing.signal.throwIfAborted();
    if (!isOver()) return life;
    noteLoss(life);
    return untilAborted((attempt ??= startAttempt(absence as Absence)), signal);
  }

  /** @throws {CodeModeError} `mcp_server_failed` while the server has to be left alone. */
  function startAttempt(gone: Absence): Promise<ServerLife> {
    if (backoff.pauseMs() > 0) {
      const { problem: reason } = gone;
      throw serverFailure(name, { reason, message: `${labelOf(name)} is gone: ${reason}. ${nextTry()}` });
    }
    gone.attempts += 1;
    const started = revive(gone).finally(() => (attempt = undefined));
    // Everyone who waited for it may have gone.
    started.catch(() => {});
    return started;
  }

  async function revive(gone: Absence): Promise<ServerLife> {
    const next = await options.open(closing.signal).catch((error: unknown) => {
      closing.signal.throwIfAborted();
      backoff.failed();
      if (!isServerFailure(error)) throw error;
      gone.problem = error.details.reason;
      const message = `${labelOf(name)} is gone and could not be connected again: ${gone.problem}. ${nextTry()}`;
      throw serverFailure(name, { reason: gone.problem, message, cause: error });
    });
    if (closing.signal.aborted) {
      await next.close();
      throw closing.signal.reason;
    }
    const past = life;
    retired.add(past);
    void past.retire().then(() => retired.delete(past));
    life = next;
    absence = undefined;
    follow(next);
    options.onRevived({ ...gone.ended, attempt: gone.attempts });
    return next;
  }

  function nextTry(): string {
    const pauseMs = backoff.pauseMs();
    return pauseMs === 0 ? "The next call tries again." : `It may be tried again in ${pauseMs} ms.`;
  }

  let closed: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    closing.abort(closedFailure(name));
    await Promise.all([attempt?.catch(() => {}), ...[life, ...retired].map((one) => one.close())]);
  }

  return {
    // Sent at once where it can be: who aborts right after the call may rely on the server being told.
    async request(method, params, control) {
      const asked = isOver() ? await nextLife(control.signal) : life;
      try {
        return await asked.request(method, params, control);
      } catch (error) {
        if (!options.isRevivable || !wasTurnedAway(error)) throw error;
      }
      // It was never begun, so it may be sent again, once.
      const next = await nextLife(control.signal);
      return next.request(method, params, control);
    },
    capabilities: () => life.session.capabilities(),
    present: () => life,
    close: () => (closed ??= closeAll()),
  };
}
