import type { CellTiming, CodeModeTelemetry, RunStats } from "@codemode/protocol";

/** Control tools the model sees. */
const VISIBLE_TOOLS = ["exec", "wait"] as const;

export interface TelemetryOptions {
  /** Identity of this counter lifetime. Default one from `newId`. */
  readonly counterScope?: string;
  readonly newId: () => string;
  /** Tools by source label. */
  readonly sources: Readonly<Record<string, number>>;
  /** Tools in the hidden catalog, MCP tools included. */
  readonly catalogSize: number;
}

/** Counters of one catalog. Holds counts, labels and times: no name of a tool, no input, no output. */
export interface Telemetry {
  countSearch(): void;
  countDescribe(): void;
  countCall(): void;
  countWait(): void;
  /** Adds to the clocks, in ms; every part at least 0. */
  addTiming(part: Partial<CellTiming>): void;
  /** The same catalog grew or was narrowed: counts and scope stay. */
  updateCatalog(size: number, sources: Readonly<Record<string, number>>): void;
  /** What a result carries. Independent of later counts. */
  snapshot(): CodeModeTelemetry;
  bridgeCalls(): RunStats["bridgeCalls"];
}

export function createTelemetry(options: TelemetryOptions): Telemetry {
  const counterScope = options.counterScope ?? options.newId();
  let { catalogSize, sources } = options;
  const counts = { search: 0, describe: 0, call: 0, wait: 0 };
  const timing: CellTiming = { guestMs: 0, toolsMs: 0, peopleMs: 0 };

  return {
    countSearch() {
      counts.search++;
    },
    countDescribe() {
      counts.describe++;
    },
    countCall() {
      counts.call++;
    },
    countWait() {
      counts.wait++;
    },
    addTiming({ guestMs = 0, toolsMs = 0, peopleMs = 0 }) {
      timing.guestMs += guestMs;
      timing.toolsMs += toolsMs;
      timing.peopleMs += peopleMs;
    },
    updateCatalog(newSize, newSources) {
      catalogSize = newSize;
      sources = newSources;
    },
    snapshot: () => ({
      catalogSize,
      sources: { ...sources },
      counterScope,
      searchCount: counts.search,
      describeCount: counts.describe,
      callCount: counts.call,
      waitCount: counts.wait,
      visibleTools: [...VISIBLE_TOOLS],
      timing: inMicroseconds(timing),
    }),
    bridgeCalls: () => ({ search: counts.search, describe: counts.describe, call: counts.call }),
  };
}

/** Milliseconds with three decimals: the rest is noise. */
function inMicroseconds({ guestMs, toolsMs, peopleMs }: CellTiming): CellTiming {
  const round = (ms: number): number => Math.round(ms * 1_000) / 1_000;
  return { guestMs: round(guestMs), toolsMs: round(toolsMs), peopleMs: round(peopleMs) };
}
