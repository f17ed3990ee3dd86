import type { GuestTool } from "@codemode/protocol";
import { toJsonText } from "@codemode/bridge";
import {
  MapConstructor,
  TypeErrorConstructor,
  VISIBLE,
  WeakMapConstructor,
  bindFirst,
  createObject,
  define,
  defineProperty,
  freeze,
  hasOwn,
  isArray,
  mapGet,
  mapSet,
  preventExtensions,
  setPrototypeOf,
  weakGet,
  weakSet,
} from "./primordials.js";
import type { RequestTable } from "./request-table.js";
import type { SurfaceReader } from "./surface-reader.js";
import { createUnwrapping } from "./unwrapping.js";

const METADATA_KEYS = ["callableName", "toolName", "label", "description", "source", "input", "output"];

/** Such as `MCP.github.createIssue`: besides being called it has `value`, which unwraps its result. */
type Kind = "tool" | "mcp";

export type Callable = (input?: unknown) => Promise<unknown>;

/** Makes the functions that call tools, and the catalog's handles, from the surface's rows. */
export interface Callables {
  /**
   * A function that calls one binding; `name` is its own name. Nothing can be added to it. It is not frozen: engines then
   * keep a description of its fields for every single one, which is half of its memory.
   */
  functionFor(binding: number, name: string, kind?: Kind): Callable;
  handleFor(tool: GuestTool): Callable;
  /** The value walker's rule for handles, which stand for their metadata, and for objects of the library. */
  plainFormOf(value: object): { readonly plain: unknown } | undefined;
  /** From now on this is asked too. */
  addPlainForm(formOf: Callables["plainFormOf"]): void;
}

export function createCallables(requests: RequestTable, surface: Pick<SurfaceReader, "callableName">): Callables {
  const handles = new MapConstructor<number, Callable>();
  const metadata = new WeakMapConstructor<object, unknown>();
  let ofLibrary: Callables["plainFormOf"] | undefined;
  const plainFormOf: Callables["plainFormOf"] = (value) => {
    const found = weakGet(metadata, value);
    return found === undefined ? ofLibrary?.(value) : { plain: found };
  };

  const unwrapping = createUnwrapping(surface);
  const newInvoke = () => {
    return (binding: number, ...inputs: unknown[]): Promise<unknown> => {
      const read = unwrapping.takeRead(binding);
      return requests.call(binding, () => encodeInput(inputs, () => surface.callableName(binding), plainFormOf), read);
    };
  };
  const invoke = newInvoke();
  const invokeMcp = newInvoke();
  setPrototypeOf(invokeMcp, unwrapping.prototype);

  function functionFor(binding: number, name: string, kind: Kind = "tool"): Callable {
    const callable = open(binding, name, kind);
    preventExtensions(callable);
    return callable;
  }

  /** Bound functions of one target share everything but what they are bound to, and its prototype comes with them. */
  function open(binding: number, name: string, kind: Kind): Callable {
    const callable: Callable = bindFirst(kind === "mcp" ? invokeMcp : invoke, undefined, binding);
    const descriptor = createObject(null) as PropertyDescriptor;
    // Nothing else of the property is said: a property that differs from that of others takes a description of its own.
    descriptor.value = name;
    defineProperty(callable, "name", descriptor);
    return callable;
  }

  function createHandle(tool: GuestTool): Callable {
    const handle = open(tool.binding, tool.callableName, tool.isGlobal ? "tool" : "mcp");
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
function encodeInput(inputs: unknown[], nameOf: () => string, plainFormOf: Callables["plainFormOf"]): string {
  const input = inputs[0];
  if (inputs.length > 1) throw new TypeErrorConstructor(onlyOneObject(nameOf(), `${inputs.length} arguments`));
  if (input === undefined) return "{}";
  if (typeof input !== "object" || input === null || isArray(input)) {
    throw new TypeErrorConstructor(
      onlyOneObject(nameOf(), input === null ? "null" : isArray(input) ? "an array" : `a ${typeof input}`),
    );
  }
  const text = toJsonText(input, { mode: "input", plainFormOf });
  if (text[0] !== "{") throw new TypeErrorConstructor(onlyOneObject(nameOf(), "a value that is not a plain object"));
  return text;
}

function onlyOneObject(name: string, got: string): string {
  return `${name} takes one object, but got ${got}: pass one object, such as ${name}({ key: value }).`;
}
