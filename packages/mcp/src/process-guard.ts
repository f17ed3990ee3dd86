// Invariant: a process that ends in any way Node tells it of leaves none of its watched children behind.

/** Ends watched child processes when this process ends before they were closed. */
export interface ProcessGuard {
  /** `kill` must act at once and not throw. Returns the function that ends the watch. */
  watch(kill: () => void): () => void;
}

const GUARD = Symbol.for("@codemode/mcp/process-guard");
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
type Listener = ((signal: NodeJS.Signals) => void) & { [GUARD]?: true };

/**
 * Listens to this process only while something is watched. A signal keeps its meaning: when nobody else listens to it,
 * the children are killed and the signal takes effect; when the host listens, the host decides, and the children go
 * when it exits. SIGKILL tells nobody; children then see the end of their input.
 */
export function createProcessGuard(host: NodeJS.Process = process): ProcessGuard {
  const watched = new Set<() => void>();
  const killAll = (): void => {
    for (const kill of watched) kill();
    watched.clear();
  };
  const onSignal: Listener = (signal) => {
    if (!host.listeners(signal).every((listener) => GUARD in listener)) return;
    killAll();
    stopListening();
    if (host.listenerCount(signal) === 0) host.kill(host.pid, signal);
  };
  onSignal[GUARD] = true;
  let isListening = false;
  function startListening(): void {
    isListening = true;
    host.setMaxListeners(host.getMaxListeners() + 1);
    host.on("exit", killAll);
    for (const signal of SIGNALS) host.on(signal, onSignal);
  }
  function stopListening(): void {
    if (!isListening) return;
    isListening = false;
    host.setMaxListeners(host.getMaxListeners() - 1);
    host.off("exit", killAll);
    for (const signal of SIGNALS) host.off(signal, onSignal);
  }
  return {
    watch(kill) {
      watched.add(kill);
      if (!isListening) startListening();
      return () => {
        watched.delete(kill);
        if (watched.size === 0) stopListening();
      };
    },
  };
}
