/** A stretch of time on one clock, in ms. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A cell that ended because its thread did, and when it was under way. */
export interface Loss extends Span {
  readonly cell: number;
}

/**
 * The losses that no kill explains. A thread runs one cell at a time, so one kill, from the moment it is asked for until
 * the thread is dead, costs at most one cell, and only one that was under way meanwhile. As many losses are explained as
 * can be.
 */
export function unexplainedLosses(losses: readonly Loss[], kills: readonly Span[]): Loss[] {
  const explained = new Map<Span, Loss>();

  /** Finds a kill for the loss; one that is taken is free when its loss finds another. */
  function explain(loss: Loss, tried: Set<Span>): boolean {
    for (const kill of kills) {
      if (tried.has(kill) || kill.from > loss.to || kill.to < loss.from) continue;
      tried.add(kill);
      const holder = explained.get(kill);
      if (holder !== undefined && !explain(holder, tried)) continue;
      explained.set(kill, loss);
      return true;
    }
    return false;
  }

  return losses.filter((loss) => !explain(loss, new Set()));
}
