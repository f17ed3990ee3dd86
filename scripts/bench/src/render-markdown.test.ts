import { expect, test } from "vitest";
import { renderMarkdown } from "./render-markdown.js";
import type { Report } from "./report.js";

const summary = { count: 3, min: 1, p50: 2, p90: 3, max: 4 };
const report: Report = {
  measuredAt: "2026-01-02T03:04:05.000Z",
  isQuick: false,
  node: "20.20.2",
  platform: "linux x64",
  cpus: 2,
  measurements: [
    {
      id: "P1",
      title: "a | b",
      sides: [
        { name: "codemode", role: "ours", status: "measured", unit: "ms", summary },
        { name: "codemode, trivial cell", role: "ours", status: "measured", unit: "ms", summary },
        { name: "run", role: "peer", status: "unavailable", reason: "needs Node 24" },
        { name: "round trip", role: "floor", status: "measured", unit: "ms", summary },
      ],
      targets: [
        { text: "round trips", status: "missed", actual: 6, limit: 5, unit: "x" },
        { text: "faster than run", status: "not measured", limit: 15, unit: "x" },
      ],
    },
  ],
};

test("a work is one row of medians and targets", () => {
  expect(renderMarkdown(report).split("\n")).toEqual([
    "Full run on Node 20.20.2, linux x64, 2 cores, 2026-01-02. Medians; every comparison is interleaved in one process run.",
    "",
    "| id | work | Codemode | beside it | targets |",
    "| --- | --- | --- | --- | --- |",
    "| P1 | a \\| b | 2 ms; trivial cell 2 ms | run not measured (needs Node 24); round trip 2 ms | " +
      "missed: round trips 6 x, limit 5 x; not measured: faster than run |",
  ]);
});
