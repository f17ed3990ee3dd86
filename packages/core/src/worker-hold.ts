import type { CellSession, ParkedCell } from "@codemode/protocol";
import type { ParkingSpace } from "./parking-memory.js";
import type { RunContext } from "./run-context.js";
import { snapshotBytesOf } from "./snapshot-bytes.js";

/** A parked cell in this process's memory, and the room it takes there. */
export interface CellAside {
  readonly parked: ParkedCell;
  readonly space: ParkingSpace;
}

/** A cell's hold on a worker: one session at a time, and the room it may park with unasked. Owned by its cell. */
export class WorkerHold {
  readonly #run: RunContext;
  readonly #onPressure: () => void;
  #session: CellSession | undefined;
  #closing: Promise<void> | undefined;
  #room: ParkingSpace | undefined;
  #isPressed = false;

  /** `onPressure`: another cell needs the worker. */
  constructor(run: RunContext, onPressure: () => void) {
    this.#run = run;
    this.#onPressure = onPressure;
  }

  get session(): CellSession | undefined {
    return this.#session;
  }

  /** Whether another cell needs the worker, since the last step began. */
  get isPressed(): boolean {
    return this.#isPressed;
  }

  /** Takes a worker; `close` gives it back. */
  open(): void {
    const { host, limits } = this.#run;
    const { memoryLimitBytes, maxOutputBytes, maxSnapshotBytes, maxSourceBytes, watchdogGraceMs } = limits;
    const session = host.executor.openSession({
      limits: { memoryLimitBytes, maxOutputBytes, maxSnapshotBytes, maxSourceBytes },
      watchdogGraceMs,
      onPressure: () => {
        if (this.#session !== session) return;
        this.#isPressed = true;
        this.#onPressure();
      },
      roomToPark: () => {
        if (this.#session !== session) return 0;
        this.#room ??= host.parkingMemory.reserve(maxSnapshotBytes);
        return this.#room.bytes;
      },
    });
    this.#session = session;
  }

  /** Settles once the worker can have no further effect on the cell. */
  close(): Promise<void> {
    this.#isPressed = false;
    if (this.#session !== undefined) {
      this.#closing = this.#session.close();
      this.#session = undefined;
    }
    return this.#closing ?? Promise.resolve();
  }

  beginStep(): void {
    this.#isPressed = false;
  }

  /** Gives back the room that the step did not use. */
  endStep(): void {
    this.#room?.free();
    this.#room = undefined;
  }

  /** The executor parked the cell at its boundary: the session is over. @throws when there was no room for it. */
  async takeAside(parked: ParkedCell): Promise<CellAside> {
    const space = this.#room;
    const bytes = snapshotBytesOf(parked);
    if (space === undefined || bytes > space.bytes) {
      throw new Error("the executor parked a cell that it had no room for");
    }
    space.shrink(bytes);
    // Should it fail, the step gives the room back.
    await this.close();
    this.#room = undefined;
    return { parked, space };
  }
}
