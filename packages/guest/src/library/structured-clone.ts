import {
  MapConstructor,
  TypeErrorConstructor,
  append,
  bareList,
  bufferBytes,
  bufferTransfer,
  defineField,
  defineFixed,
  defineMethod,
  getOwnPropertyDescriptor,
  hasOwn,
  mapForEach,
  mapGet,
  mapSet,
  ownKeys,
  setAdd,
  setForEach,
} from "../library-primordials.js";
import type { LibraryServices } from "../library-services.js";
import { createShells, notCloneable, type Shell } from "./clone-shells.js";
import { listOf } from "./iterate.js";

/** The global `structuredClone`, of whatever the web's algorithm clones; class instances become plain objects. */
export function createStructuredClone(
  services: Pick<LibraryServices, "isOwnObject">,
): (value: unknown, options?: { readonly transfer?: unknown }) => unknown {
  const shellOf = createShells(services.isOwnObject);

  /** Goes from object to object, not down into them, so that depth is no limit. */
  function clone(root: unknown): unknown {
    const copies = new MapConstructor<object, object>();
    const open = bareList<OpenShell>();
    const copyOf = (value: unknown): unknown => {
      if (typeof value === "symbol" || typeof value === "function") throw notCloneable(`A ${typeof value}`);
      if (typeof value !== "object" || value === null) return value;
      const known = mapGet(copies, value);
      if (known !== undefined) return known;
      const shell = shellOf(value, copyOf);
      mapSet(copies, value, shell.copy);
      if (shell.type !== "whole") append(open, { type: shell.type, copy: shell.copy, source: value });
      return shell.copy;
    };
    const copy = copyOf(root);
    for (let next = 0; next < open.length; next++) fill(open[next] as OpenShell, copyOf);
    return copy;
  }

  const structuredClone = (value: unknown, options?: { readonly transfer?: unknown }): unknown => {
    const transfer = options?.transfer === undefined ? bareList<unknown>() : listOf(options.transfer);
    for (let index = 0; index < transfer.length; index++) assertBuffer(transfer[index]);
    const copy = clone(value);
    for (let index = 0; index < transfer.length; index++) bufferTransfer(transfer[index]);
    return copy;
  };
  defineFixed(structuredClone, "name", "structuredClone");
  return structuredClone;
}

type OpenShell = Shell & { readonly source: object };

function fill({ type, copy, source }: OpenShell, copyOf: (value: unknown) => unknown): void {
  switch (type) {
    case "map":
      return mapForEach(source as Map<unknown, unknown>, (value, key) => {
        mapSet(copy as Map<unknown, unknown>, copyOf(key), copyOf(value));
      });
    case "set":
      return setForEach(source, (value) => void setAdd(copy as Set<unknown>, copyOf(value)));
    case "error":
      if (hasOwn(source, "cause")) defineMethod(copy, "cause", copyOf((source as Error).cause));
      return;
    default:
      return fillMembers(copy, source, copyOf);
  }
}

function fillMembers(copy: object, source: object, copyOf: (value: unknown) => unknown): void {
  const keys = ownKeys(source);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as PropertyKey;
    if (typeof key !== "string" || getOwnPropertyDescriptor(source, key)?.enumerable !== true) continue;
    defineField(copy, key, copyOf((source as Record<string, unknown>)[key]));
  }
}

function assertBuffer(value: unknown): void {
  try {
    bufferBytes(value);
  } catch {
    throw new TypeErrorConstructor("structuredClone transfers ArrayBuffers only.");
  }
}
