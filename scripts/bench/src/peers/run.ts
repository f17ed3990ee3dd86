import { createRunner, type RunResult } from "run";
import { echo, type Peer } from "./peer.js";

/** `run`: QuickJS-WASI in worker threads, a fresh context per cell. */
export const run: Peer = {
  name: "run",
  async open() {
    const runner = createRunner();
    return {
      run: async (code) =>
        valueOfRun(
          await runner.run({ source: `const { echo } = tools;\n${code}`, hostFunctions: { tools: { echo } } }),
        ),
      // Its pool of threads belongs to the process and retires by itself.
      close: async () => {},
    };
  },
};

/** The value of a completed run. @throws {Error} for an interrupted one. */
export function valueOfRun(result: RunResult): unknown {
  if (result.status === "completed") return result.value;
  throw new Error(`the run is ${result.status}`);
}
