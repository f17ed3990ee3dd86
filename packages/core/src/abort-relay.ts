/** Tells many calls about one signal through a single listener, so that a signal they share does not fill up. */
export interface AbortRelay {
  /**
   * Runs `action` once when the signal aborts, at once when it has already. Actions do not throw. The returned function
   * withdraws it and is idempotent.
   */
  onAbort(signal: AbortSignal | undefined, action: () => void): () => void;
}

interface Watch {
  readonly actions: Set<() => void>;
  readonly listener: () => void;
}

export function createAbortRelay(): AbortRelay {
  /** Holds a signal only while somebody waits for it. */
  const watches = new Map<AbortSignal, Watch>();

  function watch(signal: AbortSignal): Watch {
    const actions = new Set<() => void>();
    const listener = (): void => {
      watches.delete(signal);
      for (const action of actions) action();
    };
    signal.addEventListener("abort", listener, { once: true });
    const added = { actions, listener };
    watches.set(signal, added);
    return added;
  }

  return {
    onAbort(signal, action) {
      if (signal === undefined) return () => {};
      if (signal.aborted) {
        action();
        return () => {};
      }
      const { actions, listener } = watches.get(signal) ?? watch(signal);
      const registration = (): void => action();
      actions.add(registration);
      return () => {
        actions.delete(registration);
        if (actions.size > 0 || watches.get(signal)?.actions !== actions) return;
        watches.delete(signal);
        signal.removeEventListener("abort", listener);
      };
    },
  };
}
