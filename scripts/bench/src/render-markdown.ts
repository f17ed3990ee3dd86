import { formatFigure } from "./format-figure.js";
import { describeRun } from "./render-table.js";
import type { Measurement, Report, Side, Target } from "./report.js";

/** The report as one Markdown table with a row per work: medians beside each other, and which targets are met. */
export function renderMarkdown(report: Report): string {
  const rows = report.measurements.map((measurement) => `| ${cellsOf(measurement).map(escapeCell).join(" | ")} |`);
  return [
    `${describeRun(report)} Medians; every comparison is interleaved in one process run.`,
    "",
    "| id | work | Codemode | beside it | targets |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

function cellsOf({ id, title, sides, targets }: Measurement): string[] {
  const ours = sides.filter(({ role }) => role === "ours");
  const others = sides.filter(({ role }) => role !== "ours");
  return [
    id,
    title,
    ours.map(sideText).join("; "),
    others.map(sideText).join("; "),
    targets.map(targetText).join("; "),
  ];
}

/** `run 12.9 ms`; our own name is the column's. */
function sideText(side: Side): string {
  const name = side.role === "ours" ? side.name.replace(/^codemode(, | )?/, "") : side.name;
  const figure =
    side.status === "measured" ? formatFigure(side.summary.p50, side.unit) : `not measured (${side.reason})`;
  return name === "" ? figure : `${name} ${figure}`;
}

function targetText({ text, status, actual, limit, unit }: Target): string {
  if (actual === undefined || limit === undefined) return `${status}: ${text}`;
  return `${status}: ${text} ${formatFigure(actual, unit)}, limit ${formatFigure(limit, unit)}`;
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|");
}
