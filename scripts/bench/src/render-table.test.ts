import { expect, test } from "vitest";
import { formatFigure } from "./format-figure.js";
import { renderTable } from "./render-table.js";
import type { Report } from "./report.js";

const report: Report = {
  measuredAt: "2026-01-02T03:04:05.000Z",
  isQuick: true,
  node: "20.20.2",
  platform: "linux x64",
  cpus: 2,
  measurements: [
    {
      id: "P1",
      title: "a trivial cell",
      sides: [
        {
          name: "codemode",
          role: "ours",
          status: "measured",
          unit: "ms",
          summary: { count: 100, min: 0.2, p50: 0.25, p90: 1.5, max: 3 },
          ratio: { to: "round trip", value: 5 },
        },
        {
          name: "round trip",
          role: "floor",
          status: "measured",
          unit: "ms",
          summary: { count: 9, min: 0.04, p50: 0.05, p90: 0.0612, max: 2 },
        },
        { name: "other", role: "peer", status: "unavailable", reason: "needs Node 24" },
      ],
      targets: [
        { text: "at most 5 round trips", status: "met", actual: 5, limit: 5, unit: "x" },
        { text: "at least 15 times faster than other", status: "not measured", limit: 15, unit: "x" },
      ],
    },
  ],
};

test("the table has aligned figures, reasons and targets", () => {
  expect(renderTable(report).split("\n")).toEqual([
    "Quick run on Node 20.20.2, linux x64, 2 cores, 2026-01-02.",
    "",
    "  side            min      p50       p90    n  ratio of p50",
    "",
    "P1  a trivial cell",
    "  codemode     0.2 ms  0.25 ms    1.5 ms  100  5 x round trip",
    "  round trip  0.04 ms  0.05 ms  0.061 ms    9",
    "  other       not measured: needs Node 24",
    "  met: at most 5 round trips: 5 x, limit 5 x",
    "  not measured: at least 15 times faster than other",
    "",
    "targets: 1 met, 0 missed, 1 not measured",
  ]);
});

test.each([
  [0.03849, "ms", "0.038 ms"],
  [1.2345, "ms", "1.23 ms"],
  [12.345, "ms", "12.3 ms"],
  [1234.5, "ms", "1,235 ms"],
  [1_376_256, "bytes", "1,376,256 bytes"],
  [2_953, "tokens", "2,953 tokens"],
  [7.7, "%", "7.7 %"],
  [-3, "MB", "-3 MB"],
] as const)("%d %s is %s", (value, unit, text) => {
  expect(formatFigure(value, unit)).toBe(text);
});
