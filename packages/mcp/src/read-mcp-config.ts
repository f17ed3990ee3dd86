import { readFile } from "node:fs/promises";
import { CodeModeError } from "@codemode/protocol";
import { findJsonError } from "./json-position.js";
import { parseMcpConfig, type McpConfig } from "./mcp-config.js";

/**
 * Reads and checks an `mcpServers` file.
 *
 * @throws {CodeModeError} `invalid_argument`, with one line that names the file, the place in it and the next step.
 */
export async function readMcpConfig(path: string): Promise<McpConfig> {
  return parseMcpConfig(parseJson(await readText(path), path), path);
}

async function readText(path: string): Promise<string> {
  try {
    const text = await readFile(path, "utf8");
    return text.startsWith("\ufeff") ? text.slice(1) : text;
  } catch (error) {
    const problem = READ_PROBLEMS[(error as NodeJS.ErrnoException).code ?? ""] ?? "could not be read";
    throw new CodeModeError("invalid_argument", `${path}: the file ${problem}.`, { path, problem }, { cause: error });
  }
}

const READ_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'was not found; check the path, or create it with { "mcpServers": { … } }',
  EISDIR: "is a folder; name the file in it",
  EACCES: "may not be read; check its permissions",
};

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { line, column } = findJsonError(text);
    const problem = `is not JSON at line ${line}, column ${column}; correct it there (comments and trailing commas are not JSON)`;
    throw new CodeModeError("invalid_argument", `${path}: the file ${problem}.`, { path, problem }, { cause: error });
  }
}
