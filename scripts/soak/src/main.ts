// Plays thousands of mixed cells on real threads and prints what ended wrongly and what leaked.
// Arguments: [--quick] [--cells N] [--seed N] [--workers N] [--json FILE] [KIND …], a kind being a name in its table.
//
// The exit code is 1 when anything did. The seed fixes which cells are played, with which numbers, and where threads are
// killed; when exactly that is depends on the machine.
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { ALL_KINDS } from "./kinds/all-kinds.js";
import { createProgress } from "./progress.js";
import { readArguments } from "./read-arguments.js";
import { renderReport } from "./render-report.js";
import { soak } from "./soak.js";

/** Twelve cells a worker: more wait for tools than there are threads, so that cells leave them under pressure. */
const IN_FLIGHT_PER_WORKER = 12;

/**
 * glibc gives each new thread an arena of its own and keeps what ended ones leave: its resident memory then tells how many
 * threads there were. With two arenas it tells what is held.
 */
const ENVIRONMENT = { MALLOC_ARENA_MAX: "2" };

if (globalThis.gc === undefined) {
  const options = [...process.execArgv, "--expose-gc", ...process.argv.slice(1)];
  const env = { ...process.env, ...ENVIRONMENT };
  const { status } = spawnSync(process.execPath, options, { stdio: "inherit", env });
  process.exitCode = status ?? 1;
} else {
  await run();
}

async function run(): Promise<void> {
  const names = ALL_KINDS.map(({ name }) => name);
  const { workers = availableParallelism(), jsonFile, ...given } = readArguments(process.argv.slice(2), names);
  const progress = createProgress(process.stderr, given.cells);
  const inFlight = IN_FLIGHT_PER_WORKER * workers;
  const report = await soak({ ...given, workers, inFlight, onCell: progress.show });
  progress.clear();
  if (jsonFile !== undefined) await writeFile(jsonFile, `${JSON.stringify(report, undefined, 2)}\n`);
  console.log(renderReport(report));
  if (report.problems.length > 0) process.exitCode = 1;
}
