import { QuickJS } from "quickjs-wasi";
import { vi } from "vitest";

/** Every engine that is made from now on, new or restored from memory. Undone by `vi.restoreAllMocks`. */
export interface WatchedEngines {
  /** How many were made. */
  made(): number;
  /** Memories of those that were not disposed. */
  memories(): Buffer[];
}

export function watchEngines(): WatchedEngines {
  const engines = new Set<QuickJS>();
  let made = 0;
  for (const method of ["create", "restore"] as const) {
    const original = QuickJS[method].bind(QuickJS) as (...inputs: unknown[]) => Promise<QuickJS>;
    vi.spyOn(QuickJS, method).mockImplementation(async (...inputs: unknown[]) => {
      const engine = await original(...inputs);
      engines.add(engine);
      made++;
      return engine;
    });
  }
  const dispose = QuickJS.prototype.dispose;
  vi.spyOn(QuickJS.prototype, "dispose").mockImplementation(function (this: QuickJS) {
    engines.delete(this);
    dispose.call(this);
  });
  return { made: () => made, memories: () => [...engines].map((engine) => Buffer.from(engine._getMemory().buffer)) };
}
