import type ts from "typescript";

/**
 * The compiler, loaded at the first call. Where there is a `require` it is that: `import()` of a CommonJS module first
 * looks through all its 9 MB for names, which takes longer than running them and 30 MB more.
 */
export async function loadTypeScript(): Promise<typeof ts> {
  const modules = globalThis.process?.getBuiltinModule?.("node:module");
  if (modules === undefined) return (await import("typescript")).default;
  const require = modules.createRequire(import.meta.url);
  // By the package's name, so that it is found from wherever this code was bundled to.
  const own = modules.createRequire(require.resolve("@codemode/transform/package.json"));
  return own("typescript") as typeof ts;
}
