import type { CodeModeEvent } from "@codemode/protocol";

/** What the host told of, counted. */
export interface EventCounts {
  count(event: CodeModeEvent): void;
  /** Cells that were started and have not been told to have ended. */
  openCells(): number;
  /** Nested calls that were started and have not been told to have ended. */
  openCalls(): number;
  /** By reason. */
  workerExits(): Readonly<Record<string, number>>;
}

export function createEventCounts(): EventCounts {
  let openCells = 0;
  let openCalls = 0;
  const exits: Record<string, number> = {};
  return {
    count(event) {
      if (event.type === "cell-start") openCells += 1;
      if (event.type === "cell-end") openCells -= 1;
      if (event.type === "call-start") openCalls += 1;
      if (event.type === "call-end") openCalls -= 1;
      if (event.type === "worker-exit") exits[event.reason] = (exits[event.reason] ?? 0) + 1;
    },
    openCells: () => openCells,
    openCalls: () => openCalls,
    workerExits: () => exits,
  };
}
