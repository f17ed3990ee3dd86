import {
  PromiseConstructor,
  WeakSetConstructor,
  addToWeakSet,
  createObject,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  inWeakSet,
  isArray,
  ownKeys,
} from "./primordials.js";

/** Properties and items that are looked at; promises beyond stay as they are and are written as a note. */
const MAX_VISITS = 20_000;
const PromisePrototype = PromiseConstructor.prototype as object;
const ObjectPrototype = Object.prototype;

/**
 * Awaits promises that are properties of plain objects and items of arrays inside a returned value, and puts what they
 * resolve to in their place. Runs no getter; what a trap makes unreadable is left to whoever writes the value. A rejection is
 * the cell's failure, as if it had been awaited.
 */
export async function settleInside(root: unknown): Promise<void> {
  const seen = new WeakSetConstructor();
  const queue: object[] = [];
  let queued = 0;
  let visits = 0;
  const enqueue = (value: unknown): void => {
    if (!isContainer(value) || inWeakSet(seen, value)) return;
    addToWeakSet(seen, value);
    defineProperty(queue, queued++, dataDescriptor(value, true));
  };
  enqueue(root);
  for (let next = 0; next < queued && visits < MAX_VISITS; next++) {
    const container = queue[next] as object;
    const keys = keysOf(container);
    const length = keys === undefined ? lengthOf(container) : keys.length;
    for (let index = 0; index < length && visits < MAX_VISITS; index++, visits++) {
      const key = keys === undefined ? index : (keys[index] as PropertyKey);
      const descriptor = dataProperty(container, key);
      if (descriptor === undefined) continue;
      let value: unknown = descriptor.value;
      if (isPromise(value)) {
        value = await value;
        replace(container, key, dataDescriptor(value, descriptor.enumerable === true));
      }
      enqueue(value);
    }
  }
}

// Any of these may run a trap of the guest's, and what it throws says only that there is nothing to settle.

function isContainer(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  try {
    if (isArray(value)) return true;
    const prototype = getPrototypeOf(value);
    return prototype === null || prototype === ObjectPrototype;
  } catch {
    return false;
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  try {
    return typeof value === "object" && value !== null && getPrototypeOf(value) === PromisePrototype;
  } catch {
    return false;
  }
}

/** Undefined for an array. */
function keysOf(container: object): PropertyKey[] | undefined {
  try {
    return isArray(container) ? undefined : ownKeys(container);
  } catch {
    return undefined;
  }
}

function lengthOf(container: object): number {
  try {
    const { length } = container as { readonly length?: unknown };
    return typeof length === "number" ? length : 0;
  } catch {
    return 0;
  }
}

function dataProperty(container: object, key: PropertyKey): PropertyDescriptor | undefined {
  try {
    const descriptor = getOwnPropertyDescriptor(container, key);
    return descriptor !== undefined && hasOwn(descriptor, "value") ? descriptor : undefined;
  } catch {
    return undefined;
  }
}

function replace(container: object, key: PropertyKey, descriptor: PropertyDescriptor): void {
  try {
    defineProperty(container, key, descriptor);
  } catch {
    // The promise stays, and is written as a note.
  }
}

function dataDescriptor(value: unknown, isEnumerable: boolean): PropertyDescriptor {
  const descriptor = createObject(null) as PropertyDescriptor;
  descriptor.value = value;
  descriptor.enumerable = isEnumerable;
  descriptor.writable = true;
  descriptor.configurable = true;
  return descriptor;
}
