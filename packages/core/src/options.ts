import type {
  Activation,
  ApprovalGate,
  CellExecutor,
  CellLanguage,
  CellSeed,
  CodeModeEvent,
  CodeModeResult,
  CodeModeTelemetry,
  ExecInput,
  McpServerDescriptor,
  ModelTool,
  NestedCall,
  NestedCallRecord,
  RunScope,
  RunStats,
  SnapshotStore,
  ToolDescriptor,
  ToolExecutor,
  ToolHooks,
  ToolOutcome,
  WaitInput,
} from "@codemode/protocol";
import type { CodeModeConfigInput } from "@codemode/config";
import type { RedactionOptions, Tracer } from "@codemode/telemetry";
import type { MediaBlock } from "./media-block.js";
import type { McpProblem } from "@codemode/mcp-declarations";

export interface CodeModeOptions {
  /** Limits and languages; the resolved defaults otherwise. */
  readonly config?: boolean | "auto" | CodeModeConfigInput;
  /** Where parked runs live. Default: in memory. A given store stays the caller's and is not closed. */
  readonly snapshotStore?: SnapshotStore;
  /** Where cells run. Default: a local pool of worker threads. A given executor stays the caller's and is not closed. */
  readonly executor?: CellExecutor;
  /**
   * How long a parked run lies untouched before the in-memory store compresses it, off the event loop, in ms. Default
   * 30_000, range 0 to 2_147_483_647; `false`: never. A given store is left alone; `createCompressingStore` of
   * `@codemode/snapshot-store` does the same for any.
   */
  readonly compressParkedAfterMs?: number | false;
  /** How tools of the host are labelled for guests and in telemetry. Default `host`. */
  readonly hostLabel?: string;
  /** The local pool. `watchdogGraceMs` wins over the configured one. */
  readonly workers?: {
    /** Workers kept while idle, once they were started. Default 0, at most `max`. */
    readonly min?: number;
    /** Most worker threads, not counting the one that compiles. Default: the available cores. Range 1 to 1024. */
    readonly max?: number;
    /** How long a worker stays idle before it retires, in ms. Default 30_000. */
    readonly idleTimeoutMs?: number;
    readonly watchdogGraceMs?: number;
  };
  /**
   * An OpenTelemetry tracer; `@opentelemetry/api` must be installed. Each exec, wait and direct call is a span
   * `execute_tool <name>`, and each nested call one under it. Spans carry names, ids and statuses, never input or output.
   */
  readonly tracer?: Tracer;
  /** Secrets and patterns that must not be kept: errors of nested calls are masked in `trajectory()`. */
  readonly redaction?: RedactionOptions;
  /** An error it throws becomes a process warning and changes nothing else. */
  readonly onEvent?: (event: CodeModeEvent) => void;
}

/** Code mode for one host. Owned: close it, or the threads stay. */
export interface CodeMode extends AsyncDisposable {
  /** @throws {CodeModeError} `invalid_argument`, `closed`. */
  openRun(options: RunOptions): CodeModeRun;
  /** Starts what the first cell would otherwise wait for. */
  prewarm(options?: { readonly typescript?: boolean }): Promise<void>;
  /**
   * Runs one program to its end without a model: waits are made for it, so the result is never `waiting`.
   *
   * @throws {CodeModeError} `invalid_argument`, `closed`.
   */
  runScript(source: string, options: ScriptOptions): Promise<CodeModeResult>;
  /** Ends every cell of a session, parked ones included. */
  closeSession(sessionId: string): Promise<void>;
  /** Ends all runs and the threads this object started. Idempotent. */
  close(): Promise<void>;
}

export interface RunOptions {
  /** Whom the run belongs to; a parked cell can be resumed only from the same agent run and session. */
  readonly scope: RunScope;
  /** Opaque; handed to every tool call. */
  readonly hostContext?: unknown;
  /** Absent: engaged, with the limits of the configuration. Not engaged: the model gets `tools` themselves. */
  readonly activation?: Activation;
  /** Effective tools after policy, in order of precedence. */
  readonly tools: readonly ToolDescriptor[];
  /** The first of two servers of one name is used; see `mcpProblems`. */
  readonly mcp?: readonly McpServerDescriptor[];
  /** Default: validate, hooks, approval, execute, output contract; with `hooks` and `approve`. */
  readonly executeTool?: ToolExecutor;
  /** Also asked about each exec itself, whatever `executeTool` is. */
  readonly hooks?: ToolHooks;
  /**
   * Asked before every call, while the budgets stand still: by the default executor after the hooks, else before
   * `executeTool`. One verdict is good for one call.
   */
  readonly approve?: ApprovalGate;
  /** The host's own budget of the agent run, to be stopped with the budgets of its calls. */
  readonly budget?: RunBudget;
  /** What the model's context allows one result: the compact JSON of all of it, in UTF-16 units, at least 1,024. Absent: no limit. */
  readonly modelContext?: { readonly maxResultChars: number };
  /**
   * How text is shown that the network controls. Applied to the content of every result of a cell that has called an
   * `untrusted` tool or a server that is not `trusted`, also after waits. `wrap` is pure, and may be called more than once
   * for a result; `source` names the calls. `maxChars` bounds what is wrapped, at least 512.
   */
  readonly untrusted?: { wrap(text: string, source: string): string; readonly maxChars: number };
  /** The host replays an interrupted turn: every cell is restart-safe. Default false. */
  readonly replay?: boolean;
  /** Makes cells deterministic, for tests. */
  readonly seed?: CellSeed;
  /** Closes the run when it aborts. */
  readonly signal?: AbortSignal;
}

/** A run of one program that no model waits for. */
export interface ScriptOptions extends Omit<RunOptions, "activation" | "modelContext"> {
  /** Default `javascript`. */
  readonly language?: CellLanguage;
  /** Nested calls in all, over its whole life. One more fails the script. Default 1,000, range 1 to 100,000. */
  readonly maxCalls?: number;
  /** Time in all, in ms, people not counted. Default 600,000, range 100 to 86,400,000. */
  readonly maxDurationMs?: number;
}

/**
 * A budget of the host over a whole agent run. The two are called in turns, `suspend` first: it stands still while every
 * exec, wait and direct call of the run that is under way waits for a person. What they throw is reported as a fault.
 */
export interface RunBudget {
  suspend(): void;
  resume(): void;
}

/** What the host knows about one exec or wait. */
export interface CallContext {
  /** Id of the model's tool call; nested calls carry it as `parentId`. */
  readonly toolCallId?: string;
  /** Ends the cell when it aborts during the call. */
  readonly signal?: AbortSignal;
  /** Who is asking, when that is not the run's own scope: a wait from elsewhere is refused. */
  readonly sessionId?: string;
  readonly agentRunId?: string;
  /** Partial results of nested calls, while the call lasts. */
  readonly onUpdate?: (update: { readonly call: NestedCall; readonly partial: unknown }) => void;
}

/** One MCP server of a run. */
export interface McpNamespaceSummary {
  /** As configured. */
  readonly server: string;
  /** Identifier under `MCP`; the server's declarations are in `mcp/<name>.d.ts`. */
  readonly name: string;
  /** How many of its tools can be called. */
  readonly functions: number;
}

/** One agent run: its tools, its cells and its counters. Owned: close it. */
export interface CodeModeRun extends AsyncDisposable {
  /** The servers of the run as guests see them. */
  readonly mcpNamespaces: readonly McpNamespaceSummary[];
  /** exec, wait and direct-only tools, as the provider is told of them. Stable while the tools are. */
  readonly modelTools: readonly ModelTool[];
  /** What was wrong with the schemas and names of MCP tools; each problem costs at most the one tool it names. */
  readonly mcpProblems: readonly McpProblem[];
  /** @throws {CodeModeError} `closed`; `invalid_argument` when the run is not engaged. */
  exec(input: ExecInput, call?: CallContext): Promise<CodeModeResult>;
  /** @throws {CodeModeError} `closed`; `invalid_argument` when the run is not engaged. */
  wait(input: WaitInput, call?: CallContext): Promise<CodeModeResult>;
  /** One tool call of the model by name: exec, wait or a direct tool. @throws {CodeModeError} `invalid_argument`. */
  handleToolCall(name: string, input: unknown, call?: CallContext): Promise<CodeModeResult | ToolOutcome>;
  /** New cells see the tools too. Same counter scope. */
  appendTools(tools: readonly ToolDescriptor[]): void;
  /** New cells see these tools instead. New counter scope. */
  replaceTools(tools: readonly ToolDescriptor[]): void;
  /** New cells see these MCP servers instead, as given; names keep their meaning. Same counter scope. */
  replaceMcpServers(servers: readonly McpServerDescriptor[]): void;
  /** Keeps the tools whose name passes; MCP tools are asked for as `MCP.<server>.<tool>`, names as configured. */
  narrow(allow: (name: string) => boolean): void;
  /**
   * The picture or sound that an `image` item of a result, or a block inside its value, names by `ref`. Undefined when it is
   * unknown, none, or no longer kept: a run keeps the newest 64 Mi characters of base64 until it is closed.
   */
  media(ref: string): MediaBlock | undefined;
  /** Counts one round trip to the model. @throws {CodeModeError} `invalid_argument` for a price below 0 or not finite. */
  recordTurn(usage?: { readonly costUsd?: number }): void;
  telemetry(): CodeModeTelemetry;
  trajectory(): readonly NestedCallRecord[];
  stats(): RunStats;
  /** Ends all cells of the run with code `aborted`. Idempotent; the final counters stay readable and its tools are let go. */
  close(reason?: string): Promise<void>;
}
