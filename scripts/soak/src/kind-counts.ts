import type { CellKind } from "./kinds/kind.js";
import type { KindReport } from "./report.js";

/** Counts endings by kind. */
export interface KindCounts {
  count(kind: CellKind, ending: string): void;
  /** In the order of the kinds; those of which no cell was played are left out. */
  reports(): KindReport[];
}

export function createKindCounts(kinds: readonly CellKind[]): KindCounts {
  const seen = new Map<CellKind, Record<string, number>>();
  return {
    count(kind, ending) {
      const counts = seen.get(kind) ?? {};
      counts[ending] = (counts[ending] ?? 0) + 1;
      seen.set(kind, counts);
    },
    reports: () =>
      kinds.flatMap((kind) => {
        const counts = seen.get(kind);
        return counts === undefined ? [] : [{ kind: kind.name, expected: kind.endings, seen: counts }];
      }),
  };
}
