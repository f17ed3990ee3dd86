import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { McpServerDescriptor, McpToolDescriptor } from "@codemode/protocol";

const repository = resolve(import.meta.dirname, "../../..");

/** Folder of recorded `tools/list` answers, from outside the repository; undefined where there is none. */
export const catalogsFolder = findCases("mcp-catalogs");

/** File of schemas that broke other systems, from outside the repository; undefined where there is none. */
export const schemaCasesFile = findCases("schema-cases.json");

export const SKIP_MESSAGE =
  "no recorded cases: set CODEMODE_CASES to a folder that has mcp-catalogs/ and schema-cases.json";

function findCases(name: string): string | undefined {
  return [process.env["CODEMODE_CASES"], join(repository, "../shared/cases")]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** One server per recorded answer, named after its file. */
export function readCatalogs(folder: string): readonly McpServerDescriptor[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => {
      const recorded = JSON.parse(readFileSync(join(folder, file), "utf8")) as { tools: McpToolDescriptor[] };
      return serverOf(basename(file, ".json"), recorded.tools);
    });
}

/** A server for rendering; it cannot be called. */
export function serverOf(name: string, tools: readonly McpToolDescriptor[]): McpServerDescriptor {
  const ask = (): Promise<never> => Promise.reject(new Error("not callable"));
  return { name, tools, callTool: ask, resources: { list: ask, read: ask }, prompts: { list: ask, get: ask } };
}
