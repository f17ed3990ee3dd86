import type { McpServerDescriptor, ToolDescriptor } from "@codemode/protocol";
import { tool } from "../fakes/test-host.js";

/** The default deadline of an exec is 10 s; programs that outlast it run with everything this many times shorter. */
export const TIME_SCALE = 20;

const PAGES: Readonly<Record<string, { readonly items: readonly string[]; readonly nextCursor: string | null }>> = {
  first: { items: ["a", "b", "c"], nextCursor: "second" },
  second: { items: ["d", "e", "f"], nextCursor: "third" },
  third: { items: ["g", "h", "i"], nextCursor: null },
};

/** The tools that `fixtures/cases/stub-tools.json` describes, one of its lines each, with fresh counters. */
export function createStubTools(): readonly ToolDescriptor[] {
  let count = 0;
  let failures = 0;
  return [
    tool("echo", (input) => input, { description: "Returns its input." }),
    tool("add", ({ a, b }: { a: number; b: number }) => a + b, { description: "Adds two numbers." }),
    tool("fail", ({ message }: { message: string }) => {
      throw new Error(message);
    }),
    tool("slow", ({ ms, value }: { ms: number; value: unknown }) => after(ms >= 1_000 ? ms / TIME_SCALE : ms, value)),
    tool("never", () => new Promise(() => {})),
    tool("list_page", ({ cursor }: { cursor?: string }) => PAGES[cursor ?? "first"]),
    tool("big", ({ bytes }: { bytes: number }) => "x".repeat(bytes)),
    tool("counter", () => ({ n: ++count })),
    tool("flaky", ({ succeedAfter }: { succeedAfter: number }) => {
      if (failures++ < succeedAfter) throw new Error(`failure ${failures}`);
      return "ok";
    }),
    tool("get_user", ({ id }: { id: number }) => ({ id, name: `user-${id}` })),
  ];
}

/** The MCP servers that programs of the corpus name. */
export const STUB_SERVERS: readonly McpServerDescriptor[] = [
  server("everything", "echo", (args) => ({ content: [{ type: "text", text: `Echo: ${String(args.message)}` }] })),
  server("chrome-devtools", "list_pages", () => ({ content: [{ type: "text", text: "one page" }] })),
  server("shots", "take", () => ({
    content: [
      { type: "text", text: "a shot" },
      { type: "image", data: "aGVsbG8=", mimeType: "image/png", annotations: { audience: ["user"] } },
    ],
    structuredContent: { w: 800 },
    _meta: { secret: true },
  })),
  server("notes", "get", () => ({
    content: [{ type: "resource", resource: { uri: "note://a.md", mimeType: "text/markdown", text: "# hello" } }],
  })),
];

function server(
  name: string,
  toolName: string,
  answer: (args: Record<string, unknown>) => Awaited<ReturnType<McpServerDescriptor["callTool"]>>,
): McpServerDescriptor {
  return {
    name,
    tools: [{ name: toolName, description: `The tool ${toolName}.`, inputSchema: { type: "object" } }],
    callTool: async (_tool, args) => answer(args),
  };
}

function after(ms: number, value: unknown): Promise<unknown> {
  return new Promise((resolve) => setTimeout(() => resolve(value), ms));
}
