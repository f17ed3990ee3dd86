// Measures Codemode beside its peers and prints the table. Arguments: [--quick] [--json FILE] [ID …], such as `P1 P4`.
//
// Missed targets are findings, not failures: the exit code is 1 only when the benchmark itself does not work.
import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { readArguments } from "./read-arguments.js";
import { renderTable } from "./render-table.js";
import type { Measurement, Report } from "./report.js";
import { ALL_WORKS } from "./works/all-works.js";
import { createScale } from "./works/work.js";

const { isQuick, jsonFile, ids } = readArguments(
  process.argv.slice(2),
  ALL_WORKS.map(({ id }) => id),
);
const scale = createScale(isQuick);
const measurements: Measurement[] = [];
for (const work of ALL_WORKS) {
  if (ids.length > 0 && !ids.includes(work.id)) continue;
  console.error(`> ${work.id} ${work.title}`);
  const startedAt = performance.now();
  measurements.push({ id: work.id, title: work.title, ...(await work.measure(scale)) });
  console.error(`  took ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}
const report: Report = {
  measuredAt: new Date().toISOString(),
  isQuick,
  node: process.versions.node,
  platform: `${process.platform} ${process.arch}`,
  cpus: availableParallelism(),
  measurements,
};
if (jsonFile !== undefined) await writeFile(jsonFile, `${JSON.stringify(report, undefined, 2)}\n`);
console.log(renderTable(report));
// Threads of peers that nothing else ends.
process.exit(0);
