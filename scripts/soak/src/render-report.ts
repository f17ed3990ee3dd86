import type { MemoryTrend } from "./memory.js";
import type { KindReport, SoakReport } from "./report.js";

/** The report for a terminal. */
export function renderReport(report: SoakReport): string {
  const { totals, kills, memory, problems, leftovers } = report;
  return [
    describeRun(report),
    table(["kind of cell", "cells", "expected", "seen"], report.kinds.map(kindRow), [1]),
    `nested calls ${totals.calls}, each once; VMs ${totals.vms}; parks ${totals.parks}, of which ${totals.storeParks} in the store; resumes ${totals.resumes}`,
    `threads started ${totals.threadsStarted}; workers ended: ${counts(totals.workerExits)}`,
    `threads killed at random ${kills.count}, cells lost with them ${kills.lostCells}, unexplained ${kills.unexplained.length}`,
    table(
      ["memory", "min", "max", "per 1,000 cells", "growth", "allowed", "verdict"],
      memory.trends.map(trendRow),
      [1, 2, 3, 4, 5],
    ),
    leftovers.length === 0
      ? "left behind: no slot, lease, session, store entry, thread, timer, listener or engine handle"
      : `left behind:\n${indented(leftovers)}`,
    problems.length === 0 ? "in order" : `${problems.length} problems:\n${indented(problems)}`,
  ].join("\n\n");
}

function describeRun({ cells, seed, workers, inFlight, seconds, node, platform, startedAt }: SoakReport): string {
  return (
    `${cells} cells, seed ${seed}, ${inFlight} at a time on ${workers} workers, ${seconds.toFixed(0)} s. ` +
    `Node ${node}, ${platform}, ${startedAt.slice(0, 10)}.`
  );
}

function kindRow({ kind, expected, seen }: KindReport): string[] {
  const total = Object.values(seen).reduce((sum, count) => sum + count, 0);
  return [kind, String(total), expected.join(" or "), counts(seen)];
}

function trendRow({ figure, min, max, slope, growth, allowed, verdict }: MemoryTrend): string[] {
  return [figure, ...[min, max, slope, growth, allowed].map(mebibytes), verdict];
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(2)} MiB`;
}

/** `a 1, b 2`; `none` of nothing. */
function counts(counted: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counted).sort(([, a], [, b]) => b - a);
  return entries.length === 0 ? "none" : entries.map(([name, count]) => `${name} ${count}`).join(", ");
}

/** Columns in line; those named are figures and stand to the right. The last one is not padded. */
function table(header: readonly string[], rows: readonly (readonly string[])[], figures: readonly number[]): string {
  const widths = header.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => {
        if (at === cells.length - 1) return cell;
        return figures.includes(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0);
      })
      .join("  ");
  return [header, ...rows].map(line).join("\n");
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join("\n");
}
