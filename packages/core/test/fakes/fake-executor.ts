import type { CellExecutor, CellSession, CellStart, CellStep, Delivery, ParkedCell } from "@codemode/protocol";
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
  /** Makes the next parks fail as too large. */
  isParkTooLarge: boolean;
  /** Holds every `close` back until it settles. */
  closeGate: Promise<void>;
  /** Parked memories that were lost: resuming them fails. */
  loseMemories(): void;
}

export function createFakeExecutor(programs: Readonly<Record<string, FakeProgram>>, clock: FakeClock): FakeExecutor {
  const memories = new Map<string, FakeVm>();
  const self: FakeExecutor = {
    counts: { opened: 0, started: 0, resumed: 0, delivered: 0, parked: 0, closed: 0 },
    deliveries: [],
    starts: [],
    isParkTooLarge: false,
    closeGate: Promise.resolve(),
    loseMemories: () => memories.clear(),
    prewarm: async () => {},
    close: async () => {},
    openSession: () => {
      self.counts.opened++;
      return createSession();
    },
  };

  function createSession(): CellSession {
    let vm: FakeVm | undefined;
    let endStep: ((step: CellStep) => void) | undefined;
    let closing: Promise<void> | undefined;

    /** The step, or `aborted` when the session is closed meanwhile. */
    function step(work: () => Promise<CellStep>): Promise<CellStep> {
      const aborted = new Promise<CellStep>((resolve) => (endStep = resolve));
      if (closing !== undefined) return Promise.resolve(failed("closed", { code: "aborted", ...NO_OUTPUT }));
      return Promise.race([work(), aborted]);
    }

    function restore(parked: ParkedCell, replies: Delivery["replies"]): FakeVm | undefined {
      self.counts.resumed++;
      self.deliveries.push(replies.map(({ id }) => id));
      const key = new TextDecoder().decode(parked.snapshot.memory);
      const found = memories.get(key);
      memories.delete(key);
      found?.deliver({ replies });
      return found;
    }

    return {
      start: (start, remainingMs) =>
        step(async () => {
          self.starts.push(start);
          if (start.type === "parked") {
            vm = restore(start.parked, start.replies);
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
      park: () =>
        step(async () => {
          if (self.isParkTooLarge) {
            return failed("snapshot of 2048 bytes", { code: "snapshot_limit_exceeded", ...NO_OUTPUT });
          }
          const key = `memory-${++self.counts.parked}`;
          memories.set(key, vm as FakeVm);
          return { type: "parked", parked: parkedCell(key), ...NO_OUTPUT };
        }),
      close: () =>
        (closing ??= (async () => {
          endStep?.(failed("closed", { code: "aborted", ...NO_OUTPUT }));
          await self.closeGate;
          self.counts.closed++;
        })()),
    };
  }
  return self;
}

function parkedCell(key: string): ParkedCell {
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
      bytes: memory.byteLength,
    },
    source: { language: "javascript", submitted: "", code: "", insertions: [] },
  };
}
