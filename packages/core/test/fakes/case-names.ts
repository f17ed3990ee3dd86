import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Names of tools by the name of their server. */
export type NamesByServer = ReadonlyMap<string, readonly string[]>;

interface NameCase {
  readonly id: string;
  readonly input: {
    readonly tools?: readonly string[];
    readonly servers?: readonly string[] | Readonly<Record<string, readonly string[]>>;
  };
}

/** Names that broke other systems: a case's tools under the case's name, and its servers with one tool each or their own. */
export function readNameCases(): NamesByServer {
  const file = new URL("../fixtures/name-cases.json", import.meta.url);
  const cases = JSON.parse(readFileSync(file, "utf8")) as readonly NameCase[];
  const names = new Map<string, readonly string[]>();
  for (const { id, input } of cases) {
    if (input.tools !== undefined) names.set(id, input.tools);
    const servers = input.servers ?? [];
    if (Array.isArray(servers)) for (const server of servers as readonly string[]) names.set(server, ["echo"]);
    else for (const [server, tools] of Object.entries(servers)) names.set(server, tools as readonly string[]);
  }
  return names;
}

/** Names of the tools of public MCP servers; undefined where the catalogs are not beside the repository. */
export function readRealNames(): NamesByServer | undefined {
  const beside = resolve(import.meta.dirname, "../../../../../shared/cases");
  const folder = [process.env["CODEMODE_CASES"], beside]
    .flatMap((cases) => (cases === undefined ? [] : [join(cases, "mcp-catalogs")]))
    .find((candidate) => existsSync(candidate));
  if (folder === undefined) return undefined;
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return new Map(
    files.toSorted().map((file) => {
      const { tools } = JSON.parse(readFileSync(join(folder, file), "utf8")) as { tools: { name: string }[] };
      return [file.replace(/\.json$/, ""), tools.map(({ name }) => name)];
    }),
  );
}
