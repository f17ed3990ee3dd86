import { BroadcastChannel } from "node:worker_threads";
import { expect, test } from "vitest";
import { createExecutor, runCell, valueOf } from "./executor.js";

interface Loaded {
  readonly task: string;
  readonly isEngineLoaded: boolean;
  readonly isCompilerLoaded: boolean;
}

/** What so many threads have loaded. */
function askThreads(count: number): Promise<Loaded[]> {
  const channel = new BroadcastChannel("loaded-modules");
  const answers: Loaded[] = [];
  return new Promise((resolve) => {
    channel.onmessage = (event) => {
      answers.push((event as { data: Loaded }).data);
      if (answers.length < count) return;
      channel.close();
      resolve(answers.sort((a, b) => a.task.localeCompare(b.task)));
    };
    channel.postMessage("ask");
  });
}

test("TS-03: only the compile thread loads the compiler, only execution workers load the engine", async () => {
  const workerUrl = new URL("./fixtures/spied-entry.mjs", import.meta.url);
  const { executor } = createExecutor({ workerUrl });
  expect(valueOf(await runCell(executor, "return 1"))).toBe(1);
  const execution = { task: "serve", isEngineLoaded: true, isCompilerLoaded: false };
  expect(await askThreads(1)).toEqual([execution]);
  expect(valueOf(await runCell(executor, "return 1 as number", { language: "typescript" }))).toBe(1);
  const compiling = { task: "compile", isEngineLoaded: false, isCompilerLoaded: true };
  expect(await askThreads(2)).toEqual([compiling, execution]);
});
