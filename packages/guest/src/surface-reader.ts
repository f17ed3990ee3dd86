import type { ApiFile, GuestTool } from "@codemode/protocol";
import type { Ask } from "./library-services.js";
import { stringifyJson } from "./primordials.js";

export type ApiFileRow = Omit<ApiFile, "content">;

/**
 * Reads the surface, which the host keeps: what a cell does not ask for takes no memory in its VM. Costs what it gives.
 */
export interface SurfaceReader {
  /** Rows of tools in the order of their bindings; those that there are. */
  tools(bindings: readonly number[]): readonly GuestTool[];
  /** Rows of the tools that are globals, in their order. */
  globalTools(): readonly GuestTool[];
  /** Callable names of the tools that are globals. */
  globalNames(): readonly string[];
  /** What the guest calls the function of a binding; empty when there is none. */
  callableName(binding: number): string;
  /** The declaration file of a namespace under `MCP`. */
  declarations(namespace: string): { readonly path: string; readonly header: string };
  /** Binding of a namespace's function, by its name or another key it is under; null when there is none. */
  functionBinding(namespace: string, name: string): number | null;
  files(): readonly ApiFileRow[];
  /** Content of a file; null where there is none. */
  file(path: string): string | null;
}

export function createSurfaceReader(ask: Ask): SurfaceReader {
  return {
    tools: (bindings) => ask(`{"ask":"tools","bindings":[${listOf(bindings)}]}`) as readonly GuestTool[],
    globalTools: () => ask('{"ask":"global-tools"}') as readonly GuestTool[],
    globalNames: () => ask('{"ask":"global-names"}') as readonly string[],
    callableName: (binding) => ask(`{"ask":"callable-name","binding":${binding}}`) as string,
    declarations: (namespace) =>
      ask(`{"ask":"declarations","namespace":${stringifyJson(namespace)}}`) as { path: string; header: string },
    functionBinding: (namespace, name) =>
      ask(`{"ask":"function","namespace":${stringifyJson(namespace)},"name":${stringifyJson(name)}}`) as number | null,
    files: () => ask('{"ask":"files"}') as readonly ApiFileRow[],
    file: (path) => ask(`{"ask":"file","path":${stringifyJson(path)}}`) as string | null,
  };
}

/** By hand: a list's own conversion to JSON looks for a `toJSON` that the cell may have put on all lists. */
function listOf(numbers: readonly number[]): string {
  let text = "";
  for (let index = 0; index < numbers.length; index++) text += `${index === 0 ? "" : ","}${numbers[index] as number}`;
  return text;
}
