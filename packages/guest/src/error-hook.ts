// The engine asks `Error.prepareStackTrace` for the text of every stack, before any guest code can catch the error. The
// prelude answers, and the guest can neither see nor replace the hook: it would be handed the functions on the stack.
import { LINES_BEFORE_CODE } from "@codemode/protocol";
import { PRELUDE_FILE_NAME } from "./prelude-file-name.js";
import {
  CHANGEABLE,
  ErrorConstructor,
  ErrorPrototype,
  ReferenceErrorPrototype,
  apply,
  createObject,
  define,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isArray,
  sliceText,
  textEndsWith,
  textStartsWith,
  uncurry,
} from "./primordials.js";

/** Frames of a stack, so many that the cell's own is among them however deep the prelude is. */
const MAX_FRAMES = 20;
const NOT_DEFINED = " is not defined";
const NOT_INITIALIZED = " is not initialized";

const globals = globalThis;

/** One frame, as the engine describes it. */
interface CallSite {
  getFunctionName(): string | null;
  getFileName(): string | null;
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
}

/** Writes the stacks of errors. */
export interface ErrorHook {
  /** An Error that remembers where it was made, without the text of its stack: that is cheaper. */
  createMarked(): Error;
  /** Gives such an error its stack's text. Before, the guest must not get it. */
  writeStack(marked: Error): void;
}

/**
 * Installs the hook. From then on stacks show the cell's frames with lines of its code and no frame of the prelude, and
 * the error of a name that is not defined says what `insteadOf` words, that of a variable used too early whether it hides
 * a global.
 */
export function installErrorHook(insteadOf: (name: string) => string | undefined): ErrorHook {
  const install = setterOf("prepareStackTrace");
  const stackOf = stackGetter();
  apply(setterOf("stackTraceLimit"), ErrorConstructor, [MAX_FRAMES]);
  const readSite = siteReader(install);
  const { isError } = ErrorConstructor as unknown as { isError(value: unknown): boolean };
  let isMarking = false;

  apply(install, ErrorConstructor, [
    (error: object, sites: readonly CallSite[]): unknown => {
      const prototype = isError(error) ? getPrototypeOf(error) : undefined;
      // While an error is marked, only an overflow of the stack can come between, and that is another class.
      if (isMarking && prototype === ErrorPrototype) return sites;
      if (prototype === ReferenceErrorPrototype) completeMessage(error, insteadOf);
      return stackText(sites, readSite);
    },
  ]);
  hideHook();
  return {
    createMarked() {
      isMarking = true;
      try {
        return new ErrorConstructor();
      } finally {
        isMarking = false;
      }
    },
    writeStack(marked) {
      // None where the stack ended while the error was made.
      const sites = apply(stackOf, marked, []);
      define(marked, "stack", isArray(sites) ? stackText(sites as readonly CallSite[], readSite) : "", CHANGEABLE);
    },
  };
}

type Setter = (this: unknown, value: unknown) => void;

function setterOf(key: string): Setter {
  const set = getOwnPropertyDescriptor(ErrorConstructor, key)?.set;
  if (set === undefined) throw new ErrorConstructor(`This engine lacks the setter of Error.${key}.`);
  return set;
}

/** What an error says its stack is; captured, because the guest may replace it. */
function stackGetter(): (this: unknown) => unknown {
  const get = getOwnPropertyDescriptor(ErrorPrototype, "stack")?.get;
  if (get === undefined) throw new ErrorConstructor("This engine lacks the getter of an error's stack.");
  return get;
}

interface Frame {
  readonly name: string;
  /** Empty for native code. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

type SiteReader = (site: CallSite | undefined) => Frame;

/** Takes the methods of a call site's prototype from a first one. The guest gets no call site, so it cannot replace them. */
function siteReader(install: Setter): SiteReader {
  let sample: CallSite | undefined;
  apply(install, ErrorConstructor, [
    (_error: object, sites: readonly CallSite[]): string => {
      sample = sites[0];
      return "";
    },
  ]);
  void new ErrorConstructor().stack;
  const prototype = getPrototypeOf(sample as CallSite) as CallSite;
  const functionName = uncurry(prototype.getFunctionName);
  const fileName = uncurry(prototype.getFileName);
  const lineNumber = uncurry(prototype.getLineNumber);
  const columnNumber = uncurry(prototype.getColumnNumber);
  return (site) => ({
    name: (site && functionName(site)) ?? "",
    file: (site && fileName(site)) ?? "",
    line: (site && lineNumber(site)) ?? 0,
    column: (site && columnNumber(site)) ?? 0,
  });
}

/** Leaves out frames of the prelude and of what it called natively. */
function stackText(sites: readonly CallSite[], readSite: SiteReader): string {
  let text = "";
  const { length } = sites;
  // Beyond the end an index would be read from a prototype the guest may have changed.
  const frameAt = (index: number): Frame => readSite(index < length ? sites[index] : undefined);
  let next = frameAt(0);
  for (let index = 0; index < length; index++) {
    const { name, file, line, column } = next;
    next = frameAt(index + 1);
    // Of a native frame at the limit nobody knows who called it.
    const isOfPrelude = next.file === PRELUDE_FILE_NAME || index === MAX_FRAMES - 1;
    if (file === PRELUDE_FILE_NAME || (file === "" && isOfPrelude)) continue;
    const ownLine = textStartsWith(file, "codemode:cell.") ? line - LINES_BEFORE_CODE : line;
    const place = file === "" ? "native" : `${file}:${ownLine}:${column}`;
    text += `    at ${name === "" ? "<anonymous>" : name} (${place})\n`;
  }
  return text;
}

/**
 * Adds to "x is not defined" and "x is not initialized" what helps. The message is the error's own data, so nothing of
 * the guest's runs.
 */
function completeMessage(error: object, insteadOf: (name: string) => string | undefined): void {
  const descriptor = getOwnPropertyDescriptor(error, "message");
  if (descriptor === undefined || !hasOwn(descriptor, "value")) return;
  const message: unknown = descriptor.value;
  if (typeof message !== "string") return;
  const nameBefore = (end: string): string => sliceText(message, 0, message.length - end.length);
  const hint = textEndsWith(message, NOT_DEFINED)
    ? insteadOf(nameBefore(NOT_DEFINED))
    : textEndsWith(message, NOT_INITIALIZED)
      ? hiddenGlobal(nameBefore(NOT_INITIALIZED))
      : undefined;
  if (hint !== undefined) define(error, "message", `${message}. ${hint}`, CHANGEABLE);
}

/** As in `const read = await read({})`. */
function hiddenGlobal(name: string): string | undefined {
  if (!hasOwn(globals, name)) return undefined;
  return `It hides the global ${name} in its whole block: give the variable another name.`;
}

/**
 * Whatever a cell assigns to the hook or to the number of frames is dropped: with fewer, the prelude's would leave no room
 * for the cell's own, which tells the place of an error.
 */
function hideHook(): void {
  fix("prepareStackTrace", undefined);
  fix("stackTraceLimit", MAX_FRAMES);
}

function fix(key: string, reading: unknown): void {
  const accessor = createObject(null) as PropertyDescriptor;
  accessor.get = () => reading;
  accessor.set = () => {};
  accessor.configurable = false;
  defineProperty(ErrorConstructor, key, accessor);
}
