import type { ModelRow } from "./model-tiers.js";

/** A row without a tier although another row of the same weights states one. */
export interface TierFinding {
  readonly row: string;
  /** Rows of the same weights that state a tier. */
  readonly siblings: readonly string[];
}

/**
 * Reports rows that describe one upstream model and do not all state a tier. Rows are grouped by the vendor's own name
 * of the weights: the last segment of the id whatever its case, or `upstreamModel`.
 */
export function auditModelTiers(rows: readonly ModelRow[]): readonly TierFinding[] {
  const groups = new Map<string, ModelRow[]>();
  for (const row of rows) {
    const name = weightsOf(row);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups.values()].flatMap((group) => {
    const stated = group.filter((row) => row.compat?.codeMode !== undefined).map(rowName);
    if (stated.length === 0) return [];
    return group
      .filter((row) => row.compat?.codeMode === undefined)
      .map((row) => ({ row: rowName(row), siblings: stated }));
  });
}

function weightsOf(row: ModelRow): string {
  const name = row.upstreamModel ?? row.id;
  return name.slice(name.lastIndexOf("/") + 1).toLowerCase();
}

function rowName(row: ModelRow): string {
  return `${row.provider}/${row.id}`;
}
