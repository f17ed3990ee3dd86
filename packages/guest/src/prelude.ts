// The entry of the code inside the VM. The bundle is evaluated once per VM, before any cell; its completion value is the
// function below. Nothing of it is reachable from the guest's globals but what `installGlobals` puts there.
import type { GuestSurface, GuestTool } from "@codemode/protocol";
import { cutUtf8, toJsonText } from "@codemode/bridge";
import { createApi } from "./api-files.js";
import { createCallables, type Callables } from "./callables.js";
import { createCatalog } from "./catalog.js";
import { createCell } from "./cell.js";
import { createChannel, type Channel } from "./channel.js";
import { installErrorHook } from "./error-hook.js";
import { createLibrary, installLibraryGlobals } from "./guest-library.js";
import { createAsk, type HostFunctions } from "./host-functions.js";
import type { LibraryServices } from "./library-services.js";
import { installLocaleMethods } from "./locale-method-stubs.js";
import { createNamespaceRoot } from "./namespaces.js";
import { createOutput, type Output } from "./output.js";
import { createPlainForms } from "./plain-forms.js";
import {
  define,
  deleteProperty,
  freeze,
  parseJson,
  sliceText,
  stringifyJson,
  wellFormed,
  wholeCharacters,
} from "./primordials.js";
import { createRejections } from "./rejections.js";
import { createRequestTable } from "./request-table.js";
import { createTimers, type Timers } from "./timers.js";

const MAX_REASON_CHARS = 200;

/**
 * `surfaceText` is JSON of a `GuestSurface`. What it installs depends on nothing else, so that VMs can share it. A cell
 * never gets the host's functions.
 */
export function installPrelude(
  surfaceText: string,
  answer: HostFunctions["answer"],
  load: HostFunctions["load"],
): Channel {
  removeInternalError();
  const library = createLibrary(load, () => services);
  const requests = createRequestTable(installErrorHook(library));
  const plainForms = createPlainForms();
  const callables = createCallables(requests, plainForms);
  const output = createOutput(plainForms.formOf, requests.whileSealed);
  const timers = createTimers(requests);
  const services: LibraryServices = {
    ask: createAsk(answer),
    setTimeout: timers.setTimeout,
    writeLine: output.text,
    inertText: (value) => toJsonText(value, { isInert: true, plainFormOf: plainForms.formOf }),
    cutUtf8,
    addPlainForm: plainForms.add,
    isOwnObject: plainForms.isOfLibrary,
  };
  installLibraryGlobals(library);
  installLocaleMethods(library);
  const surface = parseJson(surfaceText) as GuestSurface;
  installTools(surface.tools, callables);
  installOutput(output);
  installTimers(timers);
  installGlobal("yield_control", (reason?: unknown) => requests.send("yield", () => reasonField(reason)));
  installGlobal("catalog", createCatalog(surface.tools, callables, requests));
  installGlobal("MCP", createNamespaceRoot("MCP", surface.mcp, callables));
  installGlobal("API", createApi(surface.apiFiles));
  return freeze(
    createChannel({
      requests,
      timers,
      output,
      rejections: createRejections(),
      cell: createCell(),
      plainFormOf: plainForms.formOf,
    }),
  );
}

/**
 * The engine marks every InternalError as uncatchable; it throws them for interrupts and exhausted memory. Without the
 * constructor a cell cannot make one, so the mark always means the engine's own.
 */
function removeInternalError(): void {
  deleteProperty(globalThis, "InternalError");
}

function installTools(tools: readonly GuestTool[], callables: Callables): void {
  for (let index = 0; index < tools.length; index++) {
    const tool = tools[index] as GuestTool;
    if (tool.isGlobal) installGlobal(tool.callableName, callables.functionFor(tool.binding, tool.callableName));
  }
}

function installOutput(output: Output): void {
  installGlobal("text", (value: unknown) => output.text(value));
  installGlobal("json", (value: unknown) => output.json(value));
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
