import { Readable } from "node:stream";
import type { CodeModeOptions, CodeModeRun, RunOptions } from "@codemode/core";
import type { McpConfig, McpConnectOptions, McpReconnectEvent, McpServerProblem } from "@codemode/mcp";
import type { CodeModeResult, CodeModeTelemetry, NestedCallRecord } from "@codemode/protocol";
import type { Dependencies, ProgramIo, TextOutput } from "../src/index.js";

export const telemetry: CodeModeTelemetry = {
  catalogSize: 0,
  sources: {},
  counterScope: "scope",
  searchCount: 0,
  describeCount: 0,
  callCount: 0,
  waitCount: 0,
  visibleTools: ["exec", "wait"],
};

export interface FakeIo extends ProgramIo {
  out(): string;
  err(): string;
  interrupt(): void;
}

export function fakeIo({
  stdin = "",
  isTerminal = false,
  env = {},
}: { stdin?: string; isTerminal?: boolean; env?: Record<string, string> } = {}): FakeIo {
  const interruption = new AbortController();
  const written = { out: "", err: "" };
  const stream = (name: keyof typeof written): TextOutput => ({
    write: (text) => (written[name] += text),
    isTTY: isTerminal,
    columns: 80,
  });
  return {
    stdin: Object.assign(Readable.from([stdin]), { isTTY: isTerminal }),
    stdout: stream("out"),
    stderr: stream("err"),
    env,
    now: () => 0,
    interruption: interruption.signal,
    out: () => written.out,
    err: () => written.err,
    interrupt: () => interruption.abort({ signal: "SIGINT" }),
  };
}

/** A step of a scripted cell: a result, or a function of the call's signal that gives one. */
export type Step = CodeModeResult | ((signal: AbortSignal | undefined) => Promise<CodeModeResult>);

/** Code mode that plays the given results to exec and the waits after it, and records how it was used. */
export function fakeDependencies(
  steps: readonly Step[],
  {
    calls = [],
    problems = [],
    mcpProblems = [],
    reconnects = [],
  }: {
    calls?: readonly NestedCallRecord[];
    problems?: readonly McpServerProblem[];
    mcpProblems?: CodeModeRun["mcpProblems"];
    /** Told as soon as servers are connected. */
    reconnects?: readonly McpReconnectEvent[];
  } = {},
) {
  const log: unknown[] = [];
  const left = [...steps];
  const play = async (signal: AbortSignal | undefined): Promise<CodeModeResult> => {
    const step = left.shift();
    if (step === undefined) throw new Error("the script is over");
    return typeof step === "function" ? step(signal) : step;
  };
  const closing = (what: string) => async (): Promise<void> => void log.push(`${what} closed`);
  const run = (options: RunOptions) => ({
    exec: (input: unknown, call?: { signal?: AbortSignal }) => {
      log.push({ exec: input, servers: options.mcp?.map((server) => server.name) });
      return play(call?.signal);
    },
    wait: (input: unknown, call?: { signal?: AbortSignal }) => {
      log.push({ wait: input });
      return play(call?.signal);
    },
    trajectory: () => calls,
    mcpProblems,
    [Symbol.asyncDispose]: closing("run"),
  });
  const core = {
    createCodeMode: (options: CodeModeOptions) => {
      log.push({ config: options.config });
      return { openRun: run, prewarm: async () => {}, [Symbol.asyncDispose]: closing("code mode") };
    },
  };
  const mcp = {
    readMcpConfig: async (path: string): Promise<McpConfig> => ({ mcpServers: { [path]: { command: "server" } } }),
    connectMcpServers: async ({ mcpServers }: McpConfig, { signal, onReconnect, ...options }: McpConnectOptions) => {
      for (const event of reconnects) onReconnect?.(event);
      log.push({ connect: Object.keys(mcpServers), ...options });
      signal?.throwIfAborted();
      return {
        servers: Object.keys(mcpServers).map((name) => ({ name, tools: [] })),
        problems,
        [Symbol.asyncDispose]: closing("servers"),
      };
    },
  };
  const dependencies = { core: async () => core, mcp: async () => mcp };
  return { log, dependencies: dependencies as unknown as Dependencies };
}
