// The entry of the code inside the VM. The bundle is evaluated once per VM, before any cell; its completion value is the
// function below. Nothing of it is reachable from the guest's globals but what `installGlobals` puts there.
import type { GuestNamespace } from "@codemode/protocol";
import { toJsonText } from "@codemode/bridge";
import { createAbsentGlobals } from "./absent-globals.js";
import { createApi } from "./api-files.js";
import { createCallables, type Callables } from "./callables.js";
import { createCatalog } from "./catalog.js";
import { createCell } from "./cell.js";
import { createChannel, type Channel } from "./channel.js";
import { installErrorHook } from "./error-hook.js";
import { createAsk, type HostFunctions } from "./host-functions.js";
import { installLibrary } from "./install-library.js";
import { createNamespaceRoot } from "./namespaces.js";
import { createOutput, type Output } from "./output.js";
import {
  define,
  deleteProperty,
  freeze,
  indexOfText,
  parseJson,
  sliceText,
  stringifyJson,
  wellFormed,
  wholeCharacters,
} from "./primordials.js";
import { createRejections } from "./rejections.js";
import { createSurfaceReader } from "./surface-reader.js";
import { createRequestTable } from "./request-table.js";
import { createTimers, type Timers } from "./timers.js";

const MAX_REASON_CHARS = 200;

/** What is installed of a surface; the rest stays with the host. */
interface InstalledPart {
  /** A line for each tool that is a global: its binding, a space, its name. */
  readonly globals: string;
  readonly mcp: readonly GuestNamespace[];
}

/**
 * `surfaceText` is JSON of an `InstalledPart`. What it installs depends on nothing else, so that VMs can share it. The
 * host's functions reach no cell.
 */
export function installPrelude(
  surfaceText: string,
  answer: HostFunctions["answer"],
  load: HostFunctions["load"],
): Channel {
  removeInternalError();
  const installed = parseJson(surfaceText) as InstalledPart;
  const ask = createAsk(answer);
  const surface = createSurfaceReader(ask);
  const errors = installErrorHook(createAbsentGlobals(surface.globalNames));
  const requests = createRequestTable(errors);
  const callables = createCallables(requests, surface);
  const output = createOutput(callables.plainFormOf, requests.whileSealed);
  const timers = createTimers(requests);
  installLibrary({ ask, load }, { callables, output, timers });
  installTools(installed.globals, callables);
  installOutput(output);
  installTimers(timers);
  installGlobal("yield_control", (reason?: unknown) => requests.send("yield", () => reasonField(reason)));
  installGlobal("catalog", createCatalog(surface, callables, requests));
  installGlobal("MCP", createNamespaceRoot(installed.mcp, { callables, surface, requests }));
  installGlobal("API", createApi(surface));
  return freeze(
    createChannel({
      requests,
      timers,
      output,
      rejections: createRejections(),
      cell: createCell(),
      plainFormOf: callables.plainFormOf,
    }),
  );
}

/**
 * The engine marks every InternalError as uncatchable; it throws them for interrupts and exhausted memory. Without the
 * constructor a cell cannot make one, so the mark always means the engine's own. A cell may still get hold of an error of
 * the engine's, through native code that turns exceptions into rejections.
 */
function removeInternalError(): void {
  const { InternalError } = globalThis as unknown as { InternalError: ErrorConstructor };
  deleteProperty(InternalError.prototype, "constructor");
  deleteProperty(globalThis, "InternalError");
}

function installTools(lines: string, callables: Callables): void {
  for (let start = 0; start < lines.length;) {
    const space = indexOfText(lines, " ", start);
    const end = indexOfText(lines, "\n", space);
    const name = sliceText(lines, space + 1, end);
    define(globalThis, name, callables.functionFor(+sliceText(lines, start, space), name));
    start = end + 1;
  }
}

function installOutput(output: Output): void {
  installGlobal("text", (value: unknown) => output.text(value));
  installGlobal("json", (value: unknown) => output.json(value));
  installGlobal("image", (block: unknown) => output.image(block));
}

function installTimers(timers: Timers): void {
  installGlobal("setTimeout", timers.setTimeout);
  installGlobal("setInterval", timers.setInterval);
  installGlobal("clearTimeout", timers.clear);
  installGlobal("clearInterval", timers.clear);
}

function installGlobal(name: string, value: object): void {
  define(globalThis, name, typeof value === "function" ? freeze(value) : value);
}

function reasonField(reason: unknown): string {
  if (reason === undefined) return "";
  const text = typeof reason === "string" ? reason : toJsonText(reason);
  return `,"reason":${stringifyJson(wellFormed(sliceText(text, 0, wholeCharacters(text, MAX_REASON_CHARS))))}`;
}
