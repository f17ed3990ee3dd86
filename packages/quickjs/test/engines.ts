import { QuickJS } from "quickjs-wasi";
import { vi } from "vitest";

/** The engines that runtimes make from now on, in order: new ones and ones restored from memory. Restore all mocks afterwards. */
export function watchEngines(): QuickJS[] {
  const engines: QuickJS[] = [];
  for (const method of ["create", "restore"] as const) {
    const original = QuickJS[method].bind(QuickJS) as (...inputs: unknown[]) => Promise<QuickJS>;
    vi.spyOn(QuickJS, method).mockImplementation(async (...inputs: unknown[]) => {
      const engine = await original(...inputs);
      engines.push(engine);
      return engine;
    });
  }
  return engines;
}
