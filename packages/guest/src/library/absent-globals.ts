import { textIndexOf } from "../library-primordials.js";

/** Globals that programs elsewhere have and a cell does not, in groups, and what to use instead. */
const ABSENT: readonly { readonly names: string; readonly instead: string }[] = [
  {
    names: "fetch XMLHttpRequest WebSocket EventSource Request Response Headers FormData axios",
    instead: "There is no network in a cell: call a tool that reaches it.",
  },
  {
    names: "process",
    instead: "A cell has no process, environment or command line: return the result, and use tools for the rest.",
  },
  {
    names: "require module exports __dirname __filename",
    instead: "There are no modules in a cell: tools are global functions, and what else there is needs no import.",
  },
  {
    names: "Buffer",
    instead: "Use TextEncoder and TextDecoder, btoa and atob, or Uint8Array with toBase64 and toHex.",
  },
  { names: "Blob File FileReader", instead: "There are no files in a cell: use texts and Uint8Array." },
  {
    names: "fs os child_process Deno Bun",
    instead: "A cell reaches no files or processes: call a tool that does.",
  },
  { names: "window self global", instead: "Use globalThis." },
  {
    names: "document navigator alert confirm prompt",
    instead: "There is no page or user here: return text instead.",
  },
  {
    names: "localStorage sessionStorage indexedDB",
    instead: "Nothing is kept between cells: return what a later cell needs.",
  },
  { names: "setImmediate requestAnimationFrame requestIdleCallback", instead: "Use setTimeout(callback, 0)." },
  { names: "clearImmediate cancelAnimationFrame", instead: "Use clearTimeout." },
  {
    names: "WebAssembly Worker SharedWorker MessageChannel BroadcastChannel Atomics",
    instead: "A cell runs JavaScript on one thread.",
  },
  { names: "Temporal", instead: "Use Date, and Intl.DateTimeFormat for time zones." },
  { names: "print", instead: "Use console.log(value) or text(value)." },
  { names: "InternalError", instead: "Use Error." },
];

/** The sentence that helps who used a global that is not there; undefined for any other name. */
export function guidanceFor(name: string): string | undefined {
  if (textIndexOf(name, " ") >= 0) return undefined;
  for (let index = 0; index < ABSENT.length; index++) {
    const group = ABSENT[index] as (typeof ABSENT)[number];
    if (textIndexOf(` ${group.names} `, ` ${name} `) >= 0) return group.instead;
  }
  return undefined;
}
