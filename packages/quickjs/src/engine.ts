import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { CodeModeError } from "@codemode/protocol";
import { PRELUDE_HASH } from "@codemode/guest";
import { withExhaustionLatch } from "./exhaustion-latch.js";

/** The compiled engine and the hash of everything a parked VM depends on: engine bytes and prelude. */
export interface Engine {
  readonly module: WebAssembly.Module;
  readonly hash: string;
}

/** Reads and compiles the engine; about 10 ms. @throws {CodeModeError} `runtime_unavailable`. */
export async function loadEngine(): Promise<Engine> {
  try {
    const path = createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm");
    const bytes = withExhaustionLatch(await readFile(path));
    const hash = createHash("sha256").update(bytes).update(PRELUDE_HASH).digest("hex");
    return { module: await WebAssembly.compile(bytes), hash };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CodeModeError("runtime_unavailable", `The engine could not be loaded: ${reason}`, { reason }, { cause });
  }
}
