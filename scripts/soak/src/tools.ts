import type { JsonValue, McpServerDescriptor, ToolDescriptor } from "@codemode/protocol";
import type { CallLedger } from "./call-ledger.js";
import type { Gates } from "./gates.js";

/** What the tools of a run are made of. */
export interface ToolParts {
  readonly ledger: CallLedger;
  readonly gates: Gates;
  /** Ends the thread that the cell was evaluated on. */
  killThreadOf(cell: number): void;
  report(problem: string): void;
}

interface Input {
  readonly cell: number;
  readonly n: number;
  readonly ms?: number;
  readonly bytes?: number;
}

type Work = (input: Input, signal: AbortSignal) => Promise<JsonValue> | JsonValue;

const PARAMETERS = {
  type: "object",
  properties: {
    cell: { type: "integer" },
    n: { type: "integer" },
    ms: { type: "number" },
    bytes: { type: "integer" },
  },
  required: ["cell", "n"],
};

/** The tools of one run. Each call names its cell and counts: `{ cell, n }`. */
export function createTools(parts: ToolParts): ToolDescriptor[] {
  const { ledger, gates } = parts;
  let inside = 0;

  const tool = (name: string, work: Work, more: Partial<ToolDescriptor> = {}): ToolDescriptor => ({
    name,
    description: `The tool ${name} of the soak.`,
    parameters: PARAMETERS,
    async execute(input, { signal }) {
      ledger.record(name, input);
      inside += 1;
      const leave = once(() => (inside -= 1));
      signal.addEventListener("abort", leave, { once: true });
      try {
        return { details: await work(input as Input, signal) };
      } finally {
        signal.removeEventListener("abort", leave);
        leave();
      }
    },
    ...more,
  });

  const alone: Work = async ({ cell, n }) => {
    if (inside !== 1) parts.report(`cell ${cell}: alone ${n} ran beside ${inside - 1} other calls of its run`);
    await sleep(1);
    return n;
  };
  return [
    tool("note", ({ n }) => n),
    tool("slow", async ({ n, ms = 0 }, signal) => {
      await sleep(ms, signal);
      return n;
    }),
    // Whoever abandons it is not heard.
    tool("stubborn", async ({ n, ms = 0 }) => {
      await sleep(ms);
      return n;
    }),
    tool("broken", ({ n }) => {
      throw new RangeError(`broken ${n}`);
    }),
    tool("alone", alone, { executionMode: "sequential" }),
    tool("large", ({ bytes = 0 }) => "x".repeat(bytes)),
    tool("gate", async ({ cell, n }, signal) => {
      await gates.pass(cell, signal);
      return n;
    }),
    tool("die", async ({ cell }, signal) => {
      parts.killThreadOf(cell);
      await sleep(60_000, signal);
      return null;
    }),
  ];
}

/** One server with one tool, `MCP.files.count`. */
export function createServer({ ledger }: ToolParts): McpServerDescriptor {
  return {
    name: "files",
    tools: [{ name: "count", description: "Counts.", inputSchema: PARAMETERS }],
    async callTool(_name, input) {
      ledger.record("MCP.files.count", input);
      return { content: [{ type: "text", text: "1" }], structuredContent: { n: (input as unknown as Input).n } };
    },
  };
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
}

/** Ends early, without a timer left, when the signal aborts. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
  });
}
