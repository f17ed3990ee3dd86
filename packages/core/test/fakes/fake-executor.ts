import type {
  CellExecutor,
  CellSession,
  CellSessionOptions,
  CellStart,
  CellStep,
  Delivery,
  ParkedCell,
} from "@codemode/protocol";
import type { FakeClock } from "./fake-clock.js";
import { FakeVm, failed, type FakeProgram } from "./fake-guest.js";

const NO_OUTPUT = { output: { items: [], omittedItems: 0, omittedBytes: 0 }, guestMs: 0 };

/** Runs cells whose source is the name of a program. Follows the executor's contract and counts what it is asked. */
export interface FakeExecutor extends CellExecutor {
  readonly counts: {
    opened: number;
    started: number;
    resumed: number;
    delivered: number;
    parked: number;
    closed: number;
  };
  /** Ids of the replies of each delivery, in order. */
  readonly deliveries: (readonly number[])[];
  /** Each start, as it came. */
  readonly starts: CellStart[];
  /** Makes the next parks be refused as too large. */
  isParkTooLarge: boolean;
  /** Whether cells park at their boundaries, unasked, where they have room. Default false. */
  parksAtOnce: boolean;
  /** Whether they do so without regard to the room. Default false. */
  ignoresRoom: boolean;
  /** What each parked cell counts. Default 8. */
  snapshotBytes: number;
  /** Holds every start back until it settles, as a queue without a free worker does. */
  workerGate: Promise<void>;
  /** Asks every cell at a boundary for its worker. */
  press(): void;
  /** Holds every `close` back until it settles. */
  closeGate: Promise<void>;
  /** Parked memories that were lost: resuming them fails. */
  loseMemories(): void;
}

export function createFakeExecutor(programs: Readonly<Record<string, FakeProgram>>, clock: FakeClock): FakeExecutor {
  const memories = new Map<string, FakeVm>();
  const sessions = new Set<{ press(): void }>();
  const self: FakeExecutor = {
    counts: { opened: 0, started: 0, resumed: 0, delivered: 0, parked: 0, closed: 0 },
    deliveries: [],
    starts: [],
    isParkTooLarge: false,
    parksAtOnce: false,
    ignoresRoom: false,
    snapshotBytes: 8,
    workerGate: Promise.resolve(),
    press() {
      for (const session of [...sessions]) session.press();
    },
    closeGate: Promise.resolve(),
    loseMemories: () => memories.clear(),
    prewarm: async () => {},
    close: async () => {},
    openSession: (options) => {
      self.counts.opened++;
      return createSession(options);
    },
  };

  /** False when there is no worker within `maxQueueMs`. */
  function takeWorker(maxQueueMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = maxQueueMs === Infinity ? () => {} : clock.schedule(() => resolve(false), maxQueueMs);
      void self.workerGate.then(cancel).then(() => resolve(true));
    });
  }

  function createSession({ onPressure, roomToPark }: CellSessionOptions): CellSession {
    const seat = { press: () => onPressure?.() };
    let vm: FakeVm | undefined;
    let endStep: ((step: CellStep) => void) | undefined;
    let closing: Promise<void> | undefined;

    /** The step, or `aborted` when the session is closed meanwhile. */
    async function step(work: () => Promise<CellStep>): Promise<CellStep> {
      sessions.delete(seat);
      const room = self.parksAtOnce ? (roomToPark?.() ?? 0) : 0;
      const taken = await begin(work);
      if (taken.type !== "boundary") return taken;
      if (room >= self.snapshotBytes || self.ignoresRoom) return { ...taken, parked: keep() };
      sessions.add(seat);
      return taken;
    }

    function keep(): ParkedCell {
      const key = `m-${++self.counts.parked}`;
      memories.set(key, vm as FakeVm);
      return parkedCell(key, self.snapshotBytes);
    }

    function begin(work: () => Promise<CellStep>): Promise<CellStep> {
      const aborted = new Promise<CellStep>((resolve) => (endStep = resolve));
      if (closing !== undefined) return Promise.resolve(failed("closed", { code: "aborted", ...NO_OUTPUT }));
      return Promise.race([work(), aborted]);
    }

    function restore(parked: ParkedCell, delivery: Delivery): FakeVm | undefined {
      self.counts.resumed++;
      self.deliveries.push(delivery.replies.map(({ id }) => id));
      const key = new TextDecoder().decode(parked.snapshot.memory);
      const found = memories.get(key);
      memories.delete(key);
      found?.deliver(delivery);
      return found;
    }

    return {
      start: (start, remainingMs, maxQueueMs = Infinity) =>
        step(async () => {
          if (!(await takeWorker(maxQueueMs))) return refused("no worker", "timeout");
          if (closing !== undefined) return failed("closed", { code: "aborted", ...NO_OUTPUT });
          self.starts.push(start);
          if (start.type === "parked") {
            vm = restore(start.parked, start);
            if (vm === undefined) return failed("Error: damaged", { code: "runtime_unavailable", ...NO_OUTPUT });
            return vm.step(remainingMs);
          }
          self.counts.started++;
          const program = programs[start.source];
          if (program === undefined) throw new Error(`no program ${start.source}`);
          vm = new FakeVm(start.surface, (ms) => clock.burn(ms));
          vm.start(program);
          return vm.step(remainingMs);
        }),
      deliver: (delivery, remainingMs) =>
        step(async () => {
          self.counts.delivered++;
          self.deliveries.push(delivery.replies.map(({ id }) => id));
          vm?.deliver(delivery);
          return (vm as FakeVm).step(remainingMs);
        }),
      park: (_remainingMs, maxBytes = Infinity) =>
        step(async () => {
          if (self.isParkTooLarge || self.snapshotBytes > maxBytes) {
            return refused("snapshot of 2048 bytes", "snapshot_limit_exceeded");
          }
          return { type: "parked", parked: keep(), ...NO_OUTPUT };
        }),
      close: () =>
        (closing ??= (async () => {
          sessions.delete(seat);
          endStep?.(failed("closed", { code: "aborted", ...NO_OUTPUT }));
          await self.closeGate;
          self.counts.closed++;
        })()),
    };
  }
  return self;
}

function refused(message: string, code: "timeout" | "snapshot_limit_exceeded"): CellStep {
  return { type: "refused", failure: { message, code, phase: code === "timeout" ? "guest" : "host" }, ...NO_OUTPUT };
}

function parkedCell(key: string, bytes: number): ParkedCell {
  const memory = new TextEncoder().encode(key);
  return {
    snapshot: {
      formatVersion: 1,
      engine: "fake",
      memory,
      stackPointer: 0,
      runtimePtr: 0,
      contextPtr: 0,
      channelToken: 0,
      checksum: Number(key.replace(/\D/g, "")),
      bytes,
    },
    source: { language: "javascript", submitted: "", code: "", insertions: [] },
  };
}
