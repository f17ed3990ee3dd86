import { createCodeMode, type CodeModeEvent } from "@codemode/core";
import { assertValue } from "../cell-contender.js";
import type { Contender } from "../interleave.js";
import { valueOf } from "../peers/codemode.js";

/** A cell that suspends itself once and then gives `value`. */
export interface SuspendingCell {
  readonly code: string;
  readonly value: unknown;
}

/** Bytes the store is given for a cell. */
export function parkedBytes(name: string, cell: SuspendingCell): Contender {
  return bytesOf({ name, cell, bytesIn: (event) => (event.type === "cell-park" ? event.bytes : undefined) });
}

/** Bytes the store holds for a cell once it has compressed it, which here it does at once. */
export function compressedBytes(name: string, cell: SuspendingCell): Contender {
  return bytesOf({ name, cell, bytesIn: (event) => (event.type === "cell-compress" ? event.storedBytes : undefined) });
}

interface Measured {
  readonly name: string;
  readonly cell: SuspendingCell;
  /** What an event tells of the cell's size. */
  bytesIn(event: CodeModeEvent): number | undefined;
}

function bytesOf({ name, cell: { code, value }, bytesIn }: Measured): Contender {
  return {
    name,
    async open() {
      let tell = (_bytes: number): void => {};
      const host = createCodeMode({
        compressParkedAfterMs: 0,
        workers: { max: 1 },
        onEvent(event) {
          const bytes = bytesIn(event);
          if (bytes !== undefined) tell(bytes);
        },
      });
      const run = host.openRun({ scope: { agentRunId: "bench" }, tools: [] });
      return {
        async measure() {
          const told = new Promise<number>((resolve) => (tell = resolve));
          const result = await run.exec({ code });
          if (result.status !== "waiting")
            throw new Error(`the cell was not parked: ${JSON.stringify(valueOf(result))}`);
          const bytes = await withProcessHeld(told);
          assertValue(valueOf(await run.wait({ runId: result.runId })), value);
          return bytes;
        },
        close: () => host.close(),
      };
    },
  };
}

/** The store's timers do not keep the process alive, and it has nothing else to do. */
async function withProcessHeld<T>(waiting: Promise<T>): Promise<T> {
  const hold = setInterval(() => {}, 1_000);
  try {
    return await waiting;
  } finally {
    clearInterval(hold);
  }
}
