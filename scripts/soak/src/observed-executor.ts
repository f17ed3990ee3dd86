import type { CellExecutor, CellSession, CellSessionOptions, CellStart, CellStep } from "@codemode/protocol";
import { readMark } from "./mark.js";

/** An executor whose sessions are counted from outside. A cell that is to die with its thread is not parked unasked. */
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

  function count(step: CellStep): CellStep {
    if ("parked" in step && step.parked !== undefined) parks += 1;
    return step;
  }

  function observe(options: CellSessionOptions): CellSession {
    let isToDie = false;
    const { roomToPark = () => 0 } = options;
    const session = executor.openSession({ ...options, roomToPark: () => (isToDie ? 0 : roomToPark()) });
    open.add(session);
    return {
      async start(start, remainingMs, maxQueueMs) {
        isToDie = readMark(submittedIn(start))?.death !== undefined;
        const step = await session.start(start, remainingMs, maxQueueMs);
        if (start.type === "parked" && step.type !== "refused") resumes += 1;
        return count(step);
      },
      deliver: async (delivery, remainingMs) => count(await session.deliver(delivery, remainingMs)),
      park: async (remainingMs, maxBytes) => count(await session.park(remainingMs, maxBytes)),
      async close() {
        await session.close();
        open.delete(session);
      },
    };
  }

  return {
    prewarm: (options) => executor.prewarm(options),
    openSession: observe,
    close: () => executor.close(),
    sessions: () => open.size,
    parks: () => parks,
    resumes: () => resumes,
  };
}

function submittedIn(start: CellStart): string {
  return start.type === "source" ? start.source : start.parked.source.submitted;
}
