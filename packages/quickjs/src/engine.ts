import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { CodeModeError } from "@codemode/protocol";
import { PRELUDE_HASH } from "@codemode/guest";
import { compilePrelude } from "./bytecode.js";
import { withExhaustionLatch } from "./exhaustion-latch.js";
import type { LibraryHost } from "./guest-functions.js";
import { createHostLibrary } from "./library/host-library.js";

/** The compiled engine and the hash of everything a parked VM depends on: engine bytes and prelude. */
export interface Engine {
  readonly module: WebAssembly.Module;
  readonly hash: string;
  /** The prelude's bytecode. */
  readonly prelude: Uint8Array;
  readonly library: LibraryHost;
}

/** Reads and compiles engine and prelude; about 15 ms. @throws {CodeModeError} `runtime_unavailable`. */
export async function loadEngine(): Promise<Engine> {
  try {
    const path = createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm");
    const bytes = withExhaustionLatch(await readFile(path));
    const hash = createHash("sha256").update(bytes).update(PRELUDE_HASH).digest("hex");
    const module = await WebAssembly.compile(bytes);
    const library = { answers: createHostLibrary(), chunks: new Map<string, Uint8Array>() };
    return { module, hash, prelude: await compilePrelude(module), library };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CodeModeError("runtime_unavailable", `The engine could not be loaded: ${reason}`, { reason }, { cause });
  }
}
