import { resolveConfig, type CodeModeConfigInput } from "@codemode/config";
import { createCodeMode, type CodeMode, type CodeModeRun } from "@codemode/core";
import type { CodeModeEvent, ToolDescriptor } from "@codemode/protocol";
import { createMemorySnapshotStore } from "@codemode/snapshot-store";
import { createSupervisor, type Supervisor } from "@codemode/supervisor";
import { createEventCounts, type EventCounts } from "./event-counts.js";
import { observeExecutor, type ObservedExecutor } from "./observed-executor.js";
import { observeStore, type ObservedStore } from "./observed-store.js";
import { createServer, createTools, type ToolParts } from "./tools.js";

/** The real core, pool, threads, engine and store, each counted from outside. Owned: close it. */
export interface SoakHost {
  readonly host: CodeMode;
  readonly pool: Supervisor;
  readonly executor: ObservedExecutor;
  readonly store: ObservedStore;
  readonly events: EventCounts;
  openRun(options: SoakRunOptions): CodeModeRun;
  close(): Promise<void>;
}

export interface SoakRunOptions {
  readonly sessionId: string;
  /** Runs of one variant have the same tools, and so one image. */
  readonly variant: number;
  readonly limits?: CodeModeConfigInput;
  readonly signal?: AbortSignal;
  readonly hasServer?: boolean;
}

/** The longest there is: other cells must not run into their deadlines because this machine is busy. */
const AMPLE_MS = 60_000;

export function createSoakHost(parts: ToolParts, workers: number): SoakHost {
  const events = createEventCounts();
  const onEvent = (event: CodeModeEvent): void => events.count(event);
  const workerUrl = new URL("./threads/worker.js", import.meta.url);
  const pool = createSupervisor({ workerUrl, maxWorkers: workers, onEvent });
  const executor = observeExecutor(pool);
  const store = observeStore(createMemorySnapshotStore());
  const host = createCodeMode({ executor, snapshotStore: store, onEvent });
  return {
    host,
    pool,
    executor,
    store,
    events,
    openRun({ sessionId, variant, limits = {}, signal, hasServer = false }) {
      return host.openRun({
        scope: { agentRunId: `run of ${sessionId}`, sessionId },
        tools: [...createTools(parts), ...variantTools(variant)],
        ...(hasServer ? { mcp: [createServer(parts)] } : {}),
        ...(signal === undefined ? {} : { signal }),
        activation: {
          engaged: true,
          reason: "soak",
          source: "global",
          limits: resolveConfig({ timeoutMs: AMPLE_MS, ...limits }).limits,
        },
      });
    },
    async close() {
      await host.close();
      await executor.close();
      await store.close();
    },
  };
}

/** Tools nobody calls, so that catalogs differ. */
function variantTools(variant: number): ToolDescriptor[] {
  return Array.from({ length: variant }, (_, at) => ({
    name: `spare_${at}`,
    description: "Nobody calls it.",
    parameters: { type: "object" },
    execute: () => ({ details: null }),
  }));
}
