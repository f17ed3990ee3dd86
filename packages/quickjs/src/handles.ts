import type { JSValueHandle } from "quickjs-wasi";

/** Counts the guest values the adapter holds, because the engine's package does not. */
export interface HandleLedger {
  /** Takes over a handle until `release`. */
  own(handle: JSValueHandle): JSValueHandle;
  release(handle: JSValueHandle): void;
  live(): number;
}

export function createHandleLedger(): HandleLedger {
  let live = 0;
  return {
    own(handle) {
      live += 1;
      return handle;
    },
    release(handle) {
      if (handle.disposed) return;
      handle.dispose();
      live -= 1;
    },
    live: () => live,
  };
}
