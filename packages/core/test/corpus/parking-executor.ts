import type { CellExecutor, CellSession, CellSessionOptions, CellStart } from "@codemode/protocol";

/** An executor that parks a cell at every boundary and goes on with it in another session, on whatever worker is free. */
export function parkAtEveryBoundary(executor: CellExecutor): CellExecutor {
  return {
    prewarm: (options) => executor.prewarm(options),
    close: () => executor.close(),
    openSession: (options) => parkingSession(executor, options),
  };
}

function parkingSession(executor: CellExecutor, options: CellSessionOptions): CellSession {
  let session = executor.openSession(options);
  let started: CellStart | undefined;
  return {
    start(start, remainingMs, maxQueueMs) {
      started = start;
      return session.start(start, remainingMs, maxQueueMs);
    },
    async deliver(delivery, remainingMs) {
      if (started === undefined) throw new Error("The session was not started.");
      const step = await session.park(remainingMs);
      if (step.type !== "parked") throw new Error(`The cell was not parked: ${JSON.stringify(step)}`);
      await session.close();
      session = executor.openSession(options);
      const { surface, seed } = started;
      const start = { type: "parked", parked: step.parked, surface, ...delivery, ...(seed && { seed }) } as const;
      return session.start(start, remainingMs);
    },
    park: (remainingMs, maxBytes) => session.park(remainingMs, maxBytes),
    close: () => session.close(),
  };
}
