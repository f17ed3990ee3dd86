import { closestName } from "./closest-name.js";
import { MapConstructor, hasOwn, mapGet, mapSet } from "./primordials.js";

const NETWORK = "A cell has no network: call a tool instead.";
const MODULES = "A cell loads no modules: call the tools, which are global functions.";
const LIBRARIES = "A cell has no libraries: use what the language has, Intl among it.";
const FILES = "A cell has no files and runs no commands: call a tool instead.";
const BINARY = "Use texts, ArrayBuffer and Uint8Array.";
const GLOBAL_OBJECT = "The global object is globalThis; there is no page and no Node.";
const OUTPUT = "Write output with text(value), json(value) or console.log(value).";
const NOBODY_ANSWERS = "Nobody answers while a cell runs: return the question.";
const NOT_KEPT = "Nothing is kept between cells: return what the next one needs.";
const SOON = "Use setTimeout(callback, 0) or queueMicrotask(callback).";
const ONE_THREAD = "A cell runs on one thread; calls run at once with Promise.all.";
const TOOLS = "Tools are global functions: call one by its own name, with one object.";

/** What to use instead of globals that other places have and a cell has not. */
const INSTEAD: Readonly<Record<string, string>> = {
  fetch: NETWORK,
  XMLHttpRequest: NETWORK,
  WebSocket: NETWORK,
  EventSource: NETWORK,
  Request: NETWORK,
  Response: NETWORK,
  Headers: NETWORK,
  FormData: NETWORK,
  axios: NETWORK,
  process: "A cell has no process and no environment: call a tool instead.",
  require: MODULES,
  module: MODULES,
  exports: MODULES,
  __dirname: MODULES,
  __filename: MODULES,
  util: MODULES,
  lodash: LIBRARIES,
  moment: LIBRARIES,
  dayjs: LIBRARIES,
  fs: FILES,
  path: FILES,
  os: FILES,
  child_process: FILES,
  Deno: FILES,
  Bun: FILES,
  Buffer: "Use TextEncoder and TextDecoder, btoa and atob, or toBase64, toHex, fromBase64 and fromHex of Uint8Array.",
  Blob: BINARY,
  File: BINARY,
  FileReader: BINARY,
  ReadableStream: "A cell has no streams: use values and async generators.",
  global: GLOBAL_OBJECT,
  window: GLOBAL_OBJECT,
  self: GLOBAL_OBJECT,
  document: GLOBAL_OBJECT,
  navigator: GLOBAL_OBJECT,
  print: OUTPUT,
  alert: OUTPUT,
  confirm: NOBODY_ANSWERS,
  prompt: NOBODY_ANSWERS,
  localStorage: NOT_KEPT,
  sessionStorage: NOT_KEPT,
  indexedDB: NOT_KEPT,
  setImmediate: SOON,
  requestAnimationFrame: SOON,
  Worker: ONE_THREAD,
  MessageChannel: ONE_THREAD,
  BroadcastChannel: ONE_THREAD,
  Atomics: ONE_THREAD,
  WebAssembly: "A cell runs JavaScript only.",
  Temporal: "Use Date, and Intl.DateTimeFormat for time zones.",
  tools: TOOLS,
  codemode: TOOLS,
  functions: TOOLS,
};

/** Names that are looked for in a cell's life; each search goes through the whole catalog. */
const MAX_SEARCHES = 100;

/** The guest's own globals that a cell calls or reads from, beside the tools. */
const GUEST_GLOBALS: readonly string[] = [
  "text",
  "json",
  "catalog",
  "MCP",
  "API",
  "image",
  "yield_control",
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "console",
  "structuredClone",
  "URLSearchParams",
  "TextEncoder",
  "TextDecoder",
  "AbortController",
];

/**
 * `toolNames` gives the callable names of the tools. Words what follows "<name> is not defined": what there is instead, or the tool or global that was probably meant.
 * Undefined where nothing is near.
 */
export function createAbsentGlobals(toolNames: () => readonly string[]): (name: string) => string | undefined {
  const known = new MapConstructor<string, { readonly sentence: string | undefined }>();
  let searches = 0;
  return (name) => {
    if (hasOwn(INSTEAD, name)) return INSTEAD[name];
    const before = mapGet(known, name);
    if (before !== undefined || searches === MAX_SEARCHES) return before?.sentence;
    searches += 1;
    const near = closestName(name, toolNames()) ?? closestName(name, GUEST_GLOBALS, { allowsForms: false });
    const sentence = near === undefined ? undefined : `Did you mean ${near}?`;
    mapSet(known, name, { sentence });
    return sentence;
  };
}
