import * as modules from "node:module";
import { dirname } from "node:path";

interface CompileCache {
  /** From Node 22.8 on: where the process keeps compiled code on disk, if it was asked to. */
  readonly getCompileCacheDir?: () => string | undefined;
}

/** The environment of a thread: empty, but for Node's compile cache where the owner of this process turned it on. */
export function threadEnvironment(
  { getCompileCacheDir }: CompileCache = modules as typeof modules & CompileCache,
): Record<string, string> {
  const directory = getCompileCacheDir?.();
  // In the folder it was asked for Node has one for each of its builds.
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) };
}
