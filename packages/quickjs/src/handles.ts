import type { JSValueHandle, QuickJS } from "quickjs-wasi";

/** The handles of one engine that were made and not given back. */
export interface HandleCount {
  live(): number;
}

/** Handles that cells of one runtime hold in their engines. */
export interface HandleLedger {
  /**
   * A cell has the engine from now on. Call the result once, when it has not any more: an engine that is dropped takes its
   * handles with it, in one that is kept (`isKept`) whatever the cell added stays counted for good.
   */
  lend(handles: HandleCount): (isKept: boolean) => void;
  /** Handles in engines that are lent, and what cells left in others. */
  live(): number;
}

/** Exceptions of one engine that are remembered before the disposed ones among them are forgotten. */
const MAX_EXCEPTIONS = 64;

/**
 * Counts every handle that the engine's package makes for `vm` from now on, but those it shares. The package counts none;
 * this stands where it looks for the scope that new handles belong to. `test/engine-facts.test.ts` holds that in place.
 */
export function countHandles(vm: QuickJS): HandleCount {
  let live = 0;
  /** The package takes the handles of exceptions out of the scope, and sees to their end itself. */
  const exceptions = new Set<JSValueHandle>();
  const onDispose = (): void => void (live -= 1);
  const forgetDisposed = (): void => {
    for (const handle of exceptions) if (handle.disposed) exceptions.delete(handle);
  };
  const scope: Pick<Set<JSValueHandle>, "add" | "delete"> = {
    add(handle) {
      live += 1;
      handle._onDispose = onDispose;
      return vm._activeScope as Set<JSValueHandle>;
    },
    delete(handle) {
      live -= 1;
      exceptions.add(handle);
      if (exceptions.size > MAX_EXCEPTIONS) forgetDisposed();
      return true;
    },
  };
  vm._activeScope = scope as Set<JSValueHandle>;
  return {
    live() {
      forgetDisposed();
      return live + exceptions.size;
    },
  };
}

export function createHandleLedger(): HandleLedger {
  const lent = new Set<HandleCount>();
  let left = 0;
  return {
    lend(handles) {
      const before = handles.live();
      lent.add(handles);
      return (isKept) => {
        lent.delete(handles);
        if (isKept) left += handles.live() - before;
      };
    },
    live: () => [...lent].reduce((sum, handles) => sum + handles.live(), left),
  };
}
