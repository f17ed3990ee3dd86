import { LIBRARY_CHUNKS, LIBRARY_FILE_NAME, PRELUDE_FILE_NAME, PRELUDE_TEXT } from "@codemode/guest";
import { CompileFlags, EvalFlags, QuickJS } from "quickjs-wasi";
import type { Engine } from "./engine.js";

const PRELUDE_FLAGS = EvalFlags.STRICT | EvalFlags.BACKTRACE_BARRIER;

/**
 * The guest package's scripts as bytecode, each compiled once. A VM that evaluates one does not hold its source, which
 * takes more memory than the rest and which a cell could read. Owned: dispose it.
 */
export interface Scripts {
  /** Its completion value is the prelude's install function. */
  readonly prelude: Uint8Array;
  /** A chunk of the guest library. Throws when there is none of that name. */
  chunk(name: string): Uint8Array;
  dispose(): void;
}

/** Compiles in a VM of its own: compiling takes memory, which the VM of a cell would keep. */
export async function createScripts(engine: Engine): Promise<Scripts> {
  const vm = await QuickJS.create({ wasm: engine.module });
  const compile = (text: string, fileName: string, flags: number): Uint8Array =>
    vm.compile(text, fileName, flags, CompileFlags.STRIP_SOURCE);
  const chunks = new Map<string, Uint8Array>();
  return {
    prelude: compile(PRELUDE_TEXT, PRELUDE_FILE_NAME, PRELUDE_FLAGS),
    chunk(name) {
      const known = chunks.get(name) ?? compile(chunkText(name), LIBRARY_FILE_NAME, EvalFlags.STRICT);
      chunks.set(name, known);
      return known;
    },
    dispose: () => vm.dispose(),
  };
}

function chunkText(name: string): string {
  const text = Object.hasOwn(LIBRARY_CHUNKS, name) ? LIBRARY_CHUNKS[name] : undefined;
  if (text === undefined) throw new Error(`There is no chunk "${name}" of the guest library.`);
  return text;
}
