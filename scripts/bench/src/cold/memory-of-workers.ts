// Prints how much memory, in MB, each idle worker adds to the process. Arguments: `codemode`, whose workers have run a
// cell, or `empty`, the threads that do nothing.
import { Worker } from "node:worker_threads";
import { createCodeMode } from "@codemode/core";
import { builtUrl } from "../built-url.js";

const WORKERS = 4;
const CELL_MS = 300;

const start = process.argv[2] === "empty" ? startThreads : startCodemode;
const before = megabytes();
await start();
await new Promise((resolve) => setTimeout(resolve, CELL_MS));
console.log(JSON.stringify((megabytes() - before) / WORKERS));
process.exit(0);

function megabytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1024 / 1024;
}

async function startThreads(): Promise<void> {
  const workers = Array.from({ length: WORKERS }, () => new Worker(builtUrl("threads/echo")));
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once("online", resolve))));
}

/** Cells that run long enough to need a worker each. */
async function startCodemode(): Promise<void> {
  const host = createCodeMode({ workers: { min: WORKERS, max: WORKERS } });
  const run = host.openRun({ scope: { agentRunId: "memory" }, tools: [] });
  const code = `await new Promise((resolve) => setTimeout(resolve, ${CELL_MS})); return 1;`;
  const results = await Promise.all(Array.from({ length: WORKERS }, () => run.exec({ code })));
  if (results.some(({ status }) => status !== "completed")) throw new Error("a cell did not complete");
}
