import type { GuestTool } from "@codemode/protocol";
import { toJsonText } from "@codemode/bridge";
import {
  MapConstructor,
  TypeErrorConstructor,
  VISIBLE,
  WeakMapConstructor,
  createObject,
  define,
  freeze,
  hasOwn,
  isArray,
  mapGet,
  mapSet,
  preventExtensions,
  weakGet,
  weakSet,
} from "./primordials.js";
import type { RequestTable } from "./request-table.js";

const METADATA_KEYS = ["callableName", "toolName", "label", "description", "source", "input", "output"];

export type Callable = (input?: unknown) => Promise<unknown>;

/** Makes the functions that call tools, and the catalog's handles, from the surface's rows. */
export interface Callables {
  /**
   * A function that calls one binding; `name` is its own name and how error texts call it. Nothing can be added to it. It
   * is not frozen: engines then keep a description of its fields for every single one, which is half of its memory.
   */
  functionFor(binding: number, name: string): Callable;
  handleFor(tool: GuestTool): Callable;
  /** The value walker's rule for handles, which stand for their metadata, and for objects of the library. */
  plainFormOf(value: object): { readonly plain: unknown } | undefined;
  /** From now on this is asked too. */
  addPlainForm(formOf: Callables["plainFormOf"]): void;
}

export function createCallables(requests: RequestTable): Callables {
  const handles = new MapConstructor<number, Callable>();
  const metadata = new WeakMapConstructor<object, unknown>();
  let ofLibrary: Callables["plainFormOf"] | undefined;
  const plainFormOf: Callables["plainFormOf"] = (value) => {
    const found = weakGet(metadata, value);
    return found === undefined ? ofLibrary?.(value) : { plain: found };
  };

  function functionFor(binding: number, name: string): Callable {
    const callable = open(binding, name);
    preventExtensions(callable);
    return callable;
  }

  function open(binding: number, name: string): Callable {
    // A computed key names the function without a definition of its own.
    const named = {
      [name]: (...inputs: unknown[]): Promise<unknown> =>
        requests.call(binding, () => encodeInput(inputs, name, plainFormOf)),
    };
    return named[name] as Callable;
  }

  function createHandle(tool: GuestTool): Callable {
    const handle = open(tool.binding, tool.callableName);
    const plain = metadataOf(tool);
    for (let index = 0; index < METADATA_KEYS.length; index++) {
      const key = METADATA_KEYS[index] as string;
      if (key in plain) define(handle, key, plain[key], VISIBLE);
    }
    define(handle, "describe", () => requests.send("describe", () => `,"binding":${tool.binding}`));
    define(handle, "toJSON", () => metadataOf(tool));
    weakSet(metadata, handle, plain);
    return freeze(handle);
  }

  return {
    functionFor,
    plainFormOf,
    addPlainForm(formOf) {
      const earlier = ofLibrary;
      ofLibrary = earlier === undefined ? formOf : (value) => earlier(value) ?? formOf(value);
    },
    handleFor(tool) {
      const known = mapGet(handles, tool.binding);
      if (known !== undefined) return known;
      const handle = createHandle(tool);
      mapSet(handles, tool.binding, handle);
      return handle;
    },
  };
}

/** The fields of a tool that a handle shows; a surface's row holds its optional fields only where they are set. */
function metadataOf(tool: GuestTool): Record<string, unknown> {
  const plain = createObject(null) as Record<string, unknown>;
  for (let index = 0; index < METADATA_KEYS.length; index++) {
    const key = METADATA_KEYS[index] as keyof GuestTool;
    if (hasOwn(tool, key)) plain[key] = tool[key];
  }
  return plain;
}

/** JSON text of a call's one input. Arguments are read when the call is made; later changes do not reach the tool. */
function encodeInput(inputs: unknown[], name: string, plainFormOf: Callables["plainFormOf"]): string {
  const input = inputs[0];
  if (inputs.length > 1) throw new TypeErrorConstructor(onlyOneObject(name, `${inputs.length} arguments`));
  if (input === undefined) return "{}";
  if (typeof input !== "object" || input === null || isArray(input)) {
    throw new TypeErrorConstructor(
      onlyOneObject(name, input === null ? "null" : isArray(input) ? "an array" : `a ${typeof input}`),
    );
  }
  const text = toJsonText(input, { mode: "input", plainFormOf });
  if (text[0] !== "{") throw new TypeErrorConstructor(onlyOneObject(name, "a value that is not a plain object"));
  return text;
}

function onlyOneObject(name: string, got: string): string {
  return `${name} takes one object, but got ${got}: pass one object, such as ${name}({ key: value }).`;
}
