import type { CellExecutor, CellSession, CellSessionOptions } from "@codemode/protocol";

/** An executor whose sessions are counted from outside. */
export interface ObservedExecutor extends CellExecutor {
  /** Sessions that were opened and whose closing has not settled. */
  sessions(): number;
  /** Cells that were taken off their worker so far, for the store or under pressure. */
  parks(): number;
  /** Cells that went on from parked memory so far. */
  resumes(): number;
}

export function observeExecutor(executor: CellExecutor): ObservedExecutor {
  const open = new Set<CellSession>();
  let parks = 0;
  let resumes = 0;

  function observe(session: CellSession): CellSession {
    open.add(session);
    return {
      async start(start, remainingMs, maxQueueMs) {
        const step = await session.start(start, remainingMs, maxQueueMs);
        if (start.type === "parked" && step.type !== "refused") resumes += 1;
        return step;
      },
      deliver: (delivery, remainingMs) => session.deliver(delivery, remainingMs),
      async park(remainingMs, maxBytes) {
        const step = await session.park(remainingMs, maxBytes);
        if (step.type === "parked") parks += 1;
        return step;
      },
      async close() {
        await session.close();
        open.delete(session);
      },
    };
  }

  return {
    prewarm: (options) => executor.prewarm(options),
    openSession: (options: CellSessionOptions) => observe(executor.openSession(options)),
    close: () => executor.close(),
    sessions: () => open.size,
    parks: () => parks,
    resumes: () => resumes,
  };
}
