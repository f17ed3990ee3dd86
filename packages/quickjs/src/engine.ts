import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { CodeModeError } from "@codemode/protocol";
import { PRELUDE_HASH } from "@codemode/guest";
import { compilePrelude } from "./bytecode.js";
import { withExhaustionLatch } from "./exhaustion-latch.js";
import type { LibraryHost } from "./guest-functions.js";
import { createHostLibrary } from "./library/host-library.js";
import { enginePath } from "./package-files.js";

/** The compiled engine and the hash of everything a parked VM depends on: engine bytes and prelude. */
export interface Engine {
  readonly module: WebAssembly.Module;
  readonly hash: string;
  /** The prelude's bytecode, compiled when it is first asked for. */
  prelude(): Promise<Uint8Array>;
  readonly library: LibraryHost;
}

/** Reads and compiles the engine; about 10 ms. @throws {CodeModeError} `runtime_unavailable`. */
export async function loadEngine(): Promise<Engine> {
  try {
    const bytes = withExhaustionLatch(await readFile(enginePath()));
    // Other threads compile meanwhile.
    const compiled = WebAssembly.compile(bytes);
    const hash = createHash("sha256").update(bytes).update(PRELUDE_HASH).digest("hex");
    const module = await compiled;
    let prelude: Promise<Uint8Array> | undefined;
    const library = { answers: createHostLibrary(), chunks: new Map<string, Uint8Array>() };
    return { module, hash, prelude: () => (prelude ??= compilePrelude(module)), library };
  } catch (cause) {
    throw engineUnavailable(cause);
  }
}

export function engineUnavailable(cause: unknown): CodeModeError<"runtime_unavailable"> {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `The engine could not be loaded: ${reason}`;
  return new CodeModeError("runtime_unavailable", message, { reason }, { cause });
}
