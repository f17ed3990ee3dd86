import { cutUtf8, toJsonText } from "@codemode/bridge";
import type { Callables } from "./callables.js";
import { createLibrary, installLibraryGlobals } from "./guest-library.js";
import type { HostFunctions } from "./host-functions.js";
import type { Ask, LibraryServices } from "./library-services.js";
import { installLocaleMethods } from "./locale-method-stubs.js";
import type { Output } from "./output.js";
import type { Timers } from "./timers.js";

/** Installs the guest library's globals, and the methods of built-ins that heed `locales`; both are loaded when used. */
export function installLibrary(
  { ask, load }: { ask: Ask; load: HostFunctions["load"] },
  { callables, output, timers }: { callables: Callables; output: Output; timers: Timers },
): void {
  const { plainFormOf } = callables;
  const services: LibraryServices = {
    ask,
    setTimeout: timers.setTimeout,
    writeLine: output.text,
    inertText: (value) => toJsonText(value, { mode: "inert", plainFormOf }),
    cutUtf8,
    addPlainForm: callables.addPlainForm,
    isOwnObject: (value) => plainFormOf(value) !== undefined,
  };
  const library = createLibrary(load, services);
  installLibraryGlobals(library);
  installLocaleMethods(library);
}
