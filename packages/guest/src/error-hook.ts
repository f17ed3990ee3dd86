import { LIBRARY_FILE_NAME, PRELUDE_FILE_NAME } from "./file-names.js";
import type { Library } from "./guest-library.js";
import {
  ErrorConstructor,
  ReferenceErrorConstructor,
  apply,
  createObject,
  define,
  defineProperty,
  execute,
  getOwnPropertyDescriptor,
  getPrototypeOf,
} from "./primordials.js";

/** What the engine tells of one frame; a cell never gets one. */
interface CallSite {
  getFunctionName(): string | null;
  getFileName(): string | null;
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
  isNative(): boolean;
}

type Hook = (error: object, sites: readonly CallSite[]) => string;

const MISSING_NAME = /^(\S+) is not defined$/;
const ReferenceErrorPrototype: object = ReferenceErrorConstructor.prototype;

/**
 * The engine hands `Error.prepareStackTrace` every new error and the functions on the stack. The hook writes the stack as
 * the engine would, but for frames that are not the cell's, and helps who used a global that is not there: `typeof` still says "undefined", as it would not if the
 * global were an accessor. A cell can neither read nor set the hook.
 */
export function installErrorHook(library: Library): ErrorMaker {
  const { set } = getOwnPropertyDescriptor(ErrorConstructor, "prepareStackTrace") as {
    set(hook: Hook | undefined): void;
  };
  const setHook = (hook: Hook | undefined): void => {
    apply(set, ErrorConstructor, [hook]);
  };
  let isBusy = false;

  const hook: Hook = (error, sites) => {
    if (!isBusy) {
      isBusy = true;
      try {
        addGuidance(error, library);
      } catch {
        // Near the end of the stack the error stays as it is.
      } finally {
        isBusy = false;
      }
    }
    return stackText(sites);
  };

  setHook(hook);
  hideHook();
  return () => {
    setHook(undefined);
    const error = new ErrorConstructor();
    setHook(hook);
    return error;
  };
}

/** Makes an error without the hook, which takes twice as long. */
export type ErrorMaker = () => Error;

function hideHook(): void {
  const accessor = createObject(null) as PropertyDescriptor;
  accessor.get = () => undefined;
  accessor.set = () => {};
  accessor.configurable = false;
  defineProperty(ErrorConstructor, "prepareStackTrace", accessor);
}

function addGuidance(error: object, library: Library): void {
  if (getPrototypeOf(error) !== ReferenceErrorPrototype) return;
  const message = getOwnPropertyDescriptor(error, "message")?.value as unknown;
  if (typeof message !== "string") return;
  const name = execute(MISSING_NAME, message)?.[1];
  const guidance = name === undefined ? undefined : library("guidance").guidanceFor(name);
  if (guidance !== undefined) define(error, "message", `${message}. ${guidance}`, { writable: true });
}

function stackText(sites: readonly CallSite[]): string {
  let text = "";
  for (let index = 0; index < sites.length; index++) {
    const site = sites[index] as CallSite;
    const file = site.getFileName();
    if (file === PRELUDE_FILE_NAME || file === LIBRARY_FILE_NAME) continue;
    const place =
      file !== null
        ? ` (${file}:${site.getLineNumber()}:${site.getColumnNumber()})`
        : site.isNative()
          ? " (native)"
          : "";
    text += `    at ${site.getFunctionName() ?? "<anonymous>"}${place}\n`;
  }
  return text;
}
