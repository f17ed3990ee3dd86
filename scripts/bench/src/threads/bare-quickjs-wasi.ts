// A thread that makes an engine per cell. Cells have no tools.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";
import { QuickJS } from "quickjs-wasi";
import type { FromThread, ToThread } from "../peers/thread-messages.js";

const wasm = await WebAssembly.compile(
  await readFile(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm")),
);
const tell = (message: FromThread) => parentPort?.postMessage(message);

parentPort?.on("message", (message: ToThread) => {
  if (message.type !== "cell") return;
  evaluate(message.code).then(
    (value) => tell({ type: "done", value }),
    (error: unknown) => tell({ type: "failed", message: String(error) }),
  );
});
tell({ type: "ready" });

async function evaluate(code: string): Promise<unknown> {
  using vm = await QuickJS.create({ wasm, memoryLimit: 64 * 1024 * 1024 });
  using promise = vm.evalCode(`(async () => {${code}\n})()`);
  const settled = vm.resolvePromise(promise);
  vm.executePendingJobs();
  const result = await settled;
  if ("error" in result) throw new Error(String(vm.dump(result.error)));
  using value = result.value;
  return vm.dump(value);
}
