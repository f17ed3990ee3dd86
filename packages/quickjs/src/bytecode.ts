import { CompileFlags, EvalFlags, QuickJS } from "quickjs-wasi";
import { LIBRARY_CHUNKS, PRELUDE_FILE_NAME, PRELUDE_TEXT } from "@codemode/guest";

// A VM that evaluates bytecode does not hold its source, which takes more memory than the rest and which a cell could read.

/** The prelude as bytecode; its completion value is the install function. Compiled in a VM of its own, for its memory. */
export async function compilePrelude(module: WebAssembly.Module): Promise<Uint8Array> {
  const vm = await QuickJS.create({ wasm: module });
  try {
    return compile(vm, PRELUDE_TEXT, EvalFlags.STRICT | EvalFlags.BACKTRACE_BARRIER);
  } finally {
    vm.dispose();
  }
}

/** A chunk of the guest library as bytecode. Throws when there is none of that name. */
export function compileChunk(vm: QuickJS, name: string): Uint8Array {
  const text = Object.hasOwn(LIBRARY_CHUNKS, name) ? LIBRARY_CHUNKS[name] : undefined;
  if (text === undefined) throw new Error(`There is no chunk "${name}" of the guest library.`);
  return compile(vm, text, EvalFlags.STRICT);
}

/** Under the prelude's name, so that stacks treat all of it alike. */
function compile(vm: QuickJS, text: string, flags: number): Uint8Array {
  return vm.compile(text, PRELUDE_FILE_NAME, flags, CompileFlags.STRIP_SOURCE);
}
