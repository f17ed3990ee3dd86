import { CodeModeError, type McpToolDescriptor } from "@codemode/protocol";
import { decodeTool } from "./decode-tool.js";
import { isObject } from "./is-object.js";

/** One page of `tools/list`. Rejects as a request does. */
export type FetchPage = (cursor: string | undefined) => Promise<unknown>;

/** All of one server's tools together, in characters. */
const MAX_LIST_CHARS = 32 * 1024 * 1024;

export interface ToolList {
  readonly tools: readonly McpToolDescriptor[];
  readonly faults: readonly { readonly tool?: string; readonly problem: string }[];
}

/**
 * Reads a server's tools page by page, leniently: a bad tool or a page that fails after the first costs what it holds
 * and is reported. Only a first page that cannot be had rejects.
 */
export async function listTools(
  fetchPage: FetchPage,
  limits: { readonly maxToolsPerServer: number; readonly maxListPages: number },
): Promise<ToolList> {
  const list = new ListUnderWay(limits.maxToolsPerServer);
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const answer = await fetchPage(cursor).catch((error: unknown) => {
      if (page === 1) throw error;
      list.report(`page ${page} of the tool list could not be read; its tools are missing`);
      return {};
    });
    list.addPage(answer, page);
    cursor = nextCursor(answer);
    if (cursor === undefined || list.isFull) return list;
    if (seen.has(cursor)) return list.report("the tool list repeats a page; what follows it is missing");
    if (page === limits.maxListPages) {
      return list.report(`the tool list has more than ${page} pages; the rest is left out`);
    }
    seen.add(cursor);
  }
}

/** Servers say that a page was the last one by no cursor, by null, or by an empty one. */
function nextCursor(answer: unknown): string | undefined {
  const cursor = isObject(answer) ? answer["nextCursor"] : undefined;
  return typeof cursor === "string" && cursor !== "" ? cursor : undefined;
}

type Fault = ToolList["faults"][number];

class ListUnderWay implements ToolList {
  readonly tools: McpToolDescriptor[] = [];
  /** By tool and problem: one line says a thing, however often it is so. */
  private readonly found = new Map<string, { readonly fault: Fault; count: number }>();
  private readonly names = new Set<string>();
  private chars = 0;
  isFull = false;

  constructor(private readonly maxTools: number) {}

  get faults(): readonly Fault[] {
    return [...this.found.values()].map(({ fault, count }) =>
      count === 1 ? fault : { ...fault, problem: `${fault.problem} (${count} times)` },
    );
  }

  addPage(answer: unknown, page: number): void {
    const entries = isObject(answer) ? answer["tools"] : undefined;
    if (!Array.isArray(entries)) {
      if (page > 1) return;
      const problem = "the answer to tools/list holds no array of tools";
      throw new CodeModeError("malformed_message", `${problem}.`, { from: "tools/list", problem });
    }
    for (const entry of entries as unknown[]) {
      if (this.tools.length === this.maxTools) {
        this.stop(`it has more than ${this.maxTools} tools; the rest is left out`);
        return;
      }
      this.addTool(entry);
      if (this.isFull) return;
    }
  }

  private stop(problem: string): void {
    this.isFull = true;
    this.report(problem);
  }

  report(problem: string, tool?: string): this {
    const key = JSON.stringify([problem, tool]);
    const known = this.found.get(key);
    if (known === undefined) {
      this.found.set(key, { fault: tool === undefined ? { problem } : { tool, problem }, count: 1 });
    } else known.count += 1;
    return this;
  }

  private addTool(entry: unknown): void {
    const decoded = decodeTool(entry);
    if (decoded.type === "unusable") {
      this.report(`a tool of its list ${decoded.fault}; it is left out`);
      return;
    }
    const { tool, faults, chars } = decoded;
    if (this.names.has(tool.name)) {
      this.report("is listed twice; the first one counts", tool.name);
      return;
    }
    this.chars += chars;
    if (this.chars > MAX_LIST_CHARS) {
      this.stop(`its tools have more than ${MAX_LIST_CHARS} characters together; the rest is left out`);
      return;
    }
    this.names.add(tool.name);
    this.tools.push(tool);
    for (const problem of faults) this.report(problem, tool.name);
  }
}
