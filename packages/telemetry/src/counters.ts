import type { CellTiming, CodeModeTelemetry } from "@codemode/protocol";

/** Control tools the model sees. */
const VISIBLE_TOOLS = ["exec", "wait"] as const;

export interface TelemetryOptions {
  /** Identity of this counter lifetime. Default: a new id. */
  readonly counterScope?: string;
  readonly newId: () => string;
  /** Tools in the catalog by source label. */
  readonly sources: Readonly<Record<string, number>>;
  readonly catalogSize: number;
}

/** The counters of one catalog's life. They hold numbers and source labels, no input, no output and no secret. */
export interface Telemetry {
  countSearch(): void;
  countDescribe(): void;
  countCall(): void;
  countWait(): void;
  /** Adds milliseconds to the clocks. */
  addTiming(part: Partial<CellTiming>): void;
  /** The catalog grew or was narrowed; the counters and their scope stay. */
  updateCatalog(size: number, sources: Readonly<Record<string, number>>): void;
  /** The counters as they are now, as a value of its own. */
  snapshot(): CodeModeTelemetry;
  bridgeCalls(): { readonly search: number; readonly describe: number; readonly call: number };
}

export function createTelemetry(options: TelemetryOptions): Telemetry {
  const counterScope = options.counterScope ?? options.newId();
  const counts = { search: 0, describe: 0, call: 0, wait: 0 };
  const timing = { guestMs: 0, toolsMs: 0, peopleMs: 0 };
  let { catalogSize, sources } = options;
  return {
    countSearch: () => void counts.search++,
    countDescribe: () => void counts.describe++,
    countCall: () => void counts.call++,
    countWait: () => void counts.wait++,
    addTiming({ guestMs = 0, toolsMs = 0, peopleMs = 0 }) {
      timing.guestMs += guestMs;
      timing.toolsMs += toolsMs;
      timing.peopleMs += peopleMs;
    },
    updateCatalog(size, newSources) {
      catalogSize = size;
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
      timing: { ...timing },
    }),
    bridgeCalls: () => ({ search: counts.search, describe: counts.describe, call: counts.call }),
  };
}
