import { createCodeMode } from "@codemode/core";
import type { SnapshotStore } from "@codemode/protocol";
import { createMemorySnapshotStore } from "@codemode/snapshot-store";
import { assertValue } from "../cell-contender.js";
import type { Contender } from "../interleave.js";
import { valueOf } from "../peers/codemode.js";

/** Bytes the store is given for a cell that suspends itself once and then gives `value`. */
export function parkedBytes(name: string, { code, value }: { code: string; value: unknown }): Contender {
  return {
    name,
    async open() {
      const inner = createMemorySnapshotStore();
      let stored = 0;
      const snapshotStore: SnapshotStore = {
        ...inner,
        park(record, lease) {
          stored = record.parked.snapshot.bytes;
          return inner.park(record, lease);
        },
      };
      const host = createCodeMode({ snapshotStore, workers: { max: 1 } });
      const run = host.openRun({ scope: { agentRunId: "bench" }, tools: [] });
      return {
        async measure() {
          const result = await run.exec({ code });
          if (result.status !== "waiting")
            throw new Error(`the cell was not parked: ${JSON.stringify(valueOf(result))}`);
          const bytes = stored;
          assertValue(valueOf(await run.wait({ runId: result.runId })), value);
          return bytes;
        },
        async close() {
          await host.close();
          await inner.close();
        },
      };
    },
  };
}
