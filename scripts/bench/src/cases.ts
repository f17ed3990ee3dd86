import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonSchema, ToolDescriptor } from "@codemode/core";
import { madeTools } from "./made-tools.js";

export const NO_CASES = "no cases here: set CODEMODE_CASES to a folder that has them";

/** A tool of a real catalog. Its texts are other people's: only looked up, never shown. */
export interface CaseTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

export interface Question {
  readonly query: string;
  /** Names of the tools it needs. */
  readonly expect: readonly string[];
}

/** Tools and questions to try a search on. */
export interface SearchCases {
  readonly tools: readonly CaseTool[];
  readonly questions: readonly Question[];
}

/** Tools of one MCP server. */
export interface CaseServer {
  readonly name: string;
  readonly tools: readonly CaseTool[];
}

/** The folder's content is trusted to have the right shape. @throws {Error} `NO_CASES` */
export function readSearchCases(): SearchCases {
  const folder = folderOf("search");
  return {
    tools: readJson(join(folder, "catalog.json")) as CaseTool[],
    questions: readJson(join(folder, "queries.json")) as Question[],
  };
}

/** `count` tools with the texts and schemas of real ones, from the start again when there are fewer; made ones without cases. */
export function realTools(count: number): readonly ToolDescriptor[] {
  if (findFolder("search") === undefined) return madeTools(count);
  const { tools } = readSearchCases();
  return Array.from({ length: count }, (_, number) => {
    const tool = tools[number % tools.length];
    if (tool === undefined) throw new Error(NO_CASES);
    return { ...asTool(tool), name: `${tool.name}_${number}` };
  });
}

/** In the order of their names. @throws {Error} `NO_CASES` */
export function readServerCases(): readonly CaseServer[] {
  const folder = folderOf("mcp-catalogs");
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return files.toSorted().map((file) => {
    const { tools } = readJson(join(folder, file)) as { tools: ListedTool[] };
    return {
      name: file.replace(/\.json$/, ""),
      tools: tools.map(({ name, description = "", inputSchema, outputSchema }) => ({
        name,
        description,
        parameters: inputSchema,
        ...(outputSchema === undefined ? {} : { outputSchema }),
      })),
    };
  });
}

/** A tool as a server lists it. */
interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

/** A case as a host's tool, which is never called. */
export function asTool(tool: CaseTool): ToolDescriptor {
  return { ...tool, execute: () => ({ details: null }) };
}

function folderOf(kind: string): string {
  const found = findFolder(kind);
  if (found === undefined) throw new Error(NO_CASES);
  return found;
}

/** `CODEMODE_CASES`, else a folder beside the repository. */
function findFolder(kind: string): string | undefined {
  const beside = fileURLToPath(new URL("../../../../shared/cases", import.meta.url));
  const folders = [process.env["CODEMODE_CASES"], beside].filter((folder) => folder !== undefined);
  return folders.map((folder) => join(folder, kind)).find((folder) => existsSync(folder));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
