import { expect, test } from "vitest";
import { renderReport } from "./render-report.js";
import type { SoakReport } from "./report.js";

const MIB = 1024 * 1024;
const REPORT: SoakReport = {
  startedAt: "2026-01-02T03:04:05.000Z",
  seed: 1,
  cells: 30,
  workers: 2,
  inFlight: 24,
  seconds: 4.2,
  node: "24.0.0",
  platform: "linux x64",
  kinds: [
    { kind: "a value", expected: ["completed"], seen: { completed: 19, "lost with its thread": 1 } },
    { kind: "a loop", expected: ["failed timeout"], seen: { "failed timeout": 10 } },
  ],
  totals: {
    calls: 12,
    vms: 30,
    parks: 5,
    resumes: 4,
    storeParks: 2,
    threadsStarted: 3,
    workerExits: { crashed: 1, closed: 2 },
  },
  kills: { count: 1, lostCells: 1, unexplained: [] },
  leftovers: [],
  memory: {
    trends: [
      {
        figure: "rss",
        min: 100 * MIB,
        max: 120 * MIB,
        slope: MIB,
        growth: 2 * MIB,
        allowed: 24 * MIB,
        verdict: "flat",
      },
    ],
    samples: [],
  },
  problems: [],
};

test("a soak in order", () => {
  expect(renderReport(REPORT)).toBe(
    `30 cells, seed 1, 24 at a time on 2 workers, 4 s. Node 24.0.0, linux x64, 2026-01-02.

kind of cell  cells  expected        seen
a value          20  completed       completed 19, lost with its thread 1
a loop           10  failed timeout  failed timeout 10

nested calls 12, each once; VMs 30; parks 5, of which 2 in the store; resumes 4

threads started 3; workers ended: closed 2, crashed 1

threads killed at random 1, cells lost with them 1, unexplained 0

memory         min         max  per 1,000 cells    growth    allowed  verdict
rss     100.00 MiB  120.00 MiB         1.00 MiB  2.00 MiB  24.00 MiB  flat

left behind: no slot, lease, session, store entry, thread, timer, listener or engine handle

in order`,
  );
});

test("problems come last, after what was left behind", () => {
  const text = renderReport({ ...REPORT, leftovers: ["1 leases after 25 cells"], problems: ["one", "two"] });
  expect(text.split("\n\n").slice(-2)).toEqual([
    "left behind:\n  1 leases after 25 cells",
    "2 problems:\n  one\n  two",
  ]);
});
