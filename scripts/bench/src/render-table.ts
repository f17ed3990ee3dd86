import { formatFigure } from "./format-figure.js";
import type { Report, Side, Target } from "./report.js";

const HEADER = ["side", "min", "p50", "p90", "n", "ratio of p50"];

/** The report for a terminal: one block of aligned columns, and every work's targets under it. */
export function renderTable(report: Report): string {
  const rows = report.measurements.map((measurement) => measurement.sides.map(sideCells));
  const widths = HEADER.map((title, column) =>
    Math.max(title.length, ...rows.flat().map((cells) => (cells.length > 2 ? (cells[column] ?? "").length : 0))),
  );
  const blocks = report.measurements.map((measurement, index) =>
    [
      `${measurement.id}  ${measurement.title}`,
      ...(rows[index] ?? []).map((cells) => `  ${alignedRow(cells, widths)}`),
      ...measurement.targets.map((target) => `  ${targetLine(target)}`),
    ].join("\n"),
  );
  return [describeRun(report), `  ${alignedRow(HEADER, widths)}`, ...blocks, countTargets(report)].join("\n\n");
}

/** Which machine, which Node, and how carefully. */
export function describeRun({ isQuick, node, platform, cpus, measuredAt }: Report): string {
  return `${isQuick ? "Quick run" : "Full run"} on Node ${node}, ${platform}, ${cpus} cores, ${measuredAt.slice(0, 10)}.`;
}

/** `met: at most 5 round trips: 3.1 x of 5 x`. */
function targetLine({ text, status, actual, limit, unit }: Target): string {
  if (actual === undefined) return `${status}: ${text}`;
  const bound = limit === undefined ? "" : `, limit ${formatFigure(limit, unit)}`;
  return `${status}: ${text}: ${formatFigure(actual, unit)}${bound}`;
}

function sideCells(side: Side): string[] {
  if (side.status === "unavailable") return [side.name, `not measured: ${side.reason}`];
  const { summary, unit, ratio } = side;
  const figures = [summary.min, summary.p50, summary.p90].map((value) => formatFigure(value, unit));
  const compared = ratio === undefined ? "" : `${formatFigure(ratio.value, "x")} ${ratio.to}`;
  return [side.name, ...figures, String(summary.count), compared];
}

/** Names to the left, figures to the right; the last column is not padded. */
function alignedRow(cells: readonly string[], widths: readonly number[]): string {
  const isFigure = (column: number) => column >= 1 && column <= 4 && cells.length > 2;
  return cells
    .map((cell, column) => {
      const width = column === cells.length - 1 ? 0 : (widths[column] ?? 0);
      return isFigure(column) ? cell.padStart(width) : cell.padEnd(width);
    })
    .join("  ")
    .trimEnd();
}

function countTargets({ measurements }: Report): string {
  const targets = measurements.flatMap((measurement) => measurement.targets);
  const count = (status: Target["status"]) => targets.filter((target) => target.status === status).length;
  return `targets: ${count("met")} met, ${count("missed")} missed, ${count("not measured")} not measured`;
}
