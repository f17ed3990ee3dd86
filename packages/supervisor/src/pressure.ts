/**
 * What a cell does with its worker. `idle`: it rests at a boundary. `staying`: it still rests there, after it turned out
 * that it cannot park. `leaving`: it parks or ends, so the worker will be free soon.
 */
export type WorkerUse = "running" | "idle" | "staying" | "leaving" | "over";

/** A cell on a worker, as far as pressure goes. */
export interface Occupant {
  /** Whether anybody listens. */
  readonly canBeAsked: boolean;
  askToPark(): void;
}

/**
 * Decides which cells are asked to leave their workers: the one idle longest first, at most one per queued cell, and none
 * twice at one boundary.
 */
export interface Pressure {
  onUse(occupant: Occupant, use: WorkerUse): void;
  /** Asks so many that `queued` workers become free, those that will be anyway included. */
  relieve(queued: number): void;
  /**
   * Whether a cell that comes to rest while `queued` cells wait will be asked, and will then park: the one asked last did.
   * One time in 32 the answer is no, so that what cells do when asked stays known.
   */
  expectsPark(queued: number): boolean;
}

const ASKED_ONE_IN = 32;

export function createPressure(): Pressure {
  /** In the order in which they came to rest. */
  const idle = new Set<Occupant>();
  const leaving = new Set<Occupant>();
  const asked = new Set<Occupant>();
  let isAskedLastLeaving = false;
  let expectations = 0;
  return {
    onUse(occupant, use) {
      if (asked.delete(occupant)) isAskedLastLeaving = use === "leaving";
      idle.delete(occupant);
      leaving.delete(occupant);
      if (use === "idle" && occupant.canBeAsked) idle.add(occupant);
      if (use === "leaving") leaving.add(occupant);
    },
    relieve(queued) {
      for (const occupant of idle) {
        if (leaving.size >= queued) return;
        idle.delete(occupant);
        leaving.add(occupant);
        asked.add(occupant);
        occupant.askToPark();
      }
    },
    expectsPark(queued) {
      if (!isAskedLastLeaving || leaving.size >= queued) return false;
      expectations += 1;
      return expectations % ASKED_ONE_IN !== 0;
    },
  };
}
