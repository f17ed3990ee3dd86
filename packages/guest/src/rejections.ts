import { MapConstructor, mapDelete, mapForEach, mapSet } from "./primordials.js";

/** Promises that were rejected and that nobody has handled yet, kept in the guest so that they survive parking. */
export interface Rejections {
  /** The engine's report: a rejection without handler, or a handler for an earlier one. */
  report(promise: object, reason: unknown, isHandled: boolean): void;
  /** A job threw outside any promise, such as a `queueMicrotask` callback. */
  uncaught(reason: unknown): void;
  /** The first rejection that is still unhandled, wrapped so that any reason can be told from none. */
  first(): { readonly reason: unknown } | undefined;
}

export function createRejections(): Rejections {
  const unhandled = new MapConstructor<object, unknown>();
  return {
    report(promise, reason, isHandled) {
      if (isHandled) mapDelete(unhandled, promise);
      else mapSet(unhandled, promise, reason);
    },
    uncaught(reason) {
      mapSet(unhandled, {}, reason);
    },
    first() {
      let found: { readonly reason: unknown } | undefined;
      mapForEach(unhandled, (reason) => {
        found ??= { reason };
      });
      return found;
    },
  };
}
