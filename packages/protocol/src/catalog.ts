import type { Elicit, ElicitationQuestion } from "./elicitation.js";
import type { JsonSchema, JsonValue } from "./json.js";
import type { RunScope } from "./snapshot.js";

/** MCP's content block shapes. */
export type ContentBlock = { readonly type: string; readonly [key: string]: unknown };

/** What a tool returns; anything else is an error. Only `details` reaches the guest. */
export interface ToolOutcome {
  readonly details: JsonValue;
  readonly content?: readonly ContentBlock[];
  /** Ends the cell; the guest cannot catch it. */
  readonly terminal?: boolean;
}

/** One nested call, as hooks, approvals and tools see it. */
export interface NestedCall {
  readonly id: string;
  /** Id of the outer exec or wait call. */
  readonly parentId?: string;
  /** Host-only routing identity. */
  readonly toolId: string;
  readonly toolName: string;
  readonly callableName: string;
  readonly source: string;
  readonly input: unknown;
  readonly scope: RunScope;
  readonly hostContext?: unknown;
  /** Set for the outer exec itself. */
  readonly toolKind?: "code_mode_exec";
  readonly toolInputKind?: "javascript" | "typescript";
}

export interface ToolCallContext {
  readonly call: NestedCall;
  readonly signal: AbortSignal;
  /** What is left of the call's budget when the tool was started, in ms. */
  readonly remainingMs: number;
  onUpdate(partial: unknown): void;
  /** Stops the cell's clock until the promise settles. */
  suspendBudget<T>(whileWaiting: Promise<T>): Promise<T>;
  /** Asks a person on behalf of the tool. Absent when nobody can be asked: no approval gate. */
  readonly elicit?: Elicit;
}

/** A tool as the host supplies it. */
export interface ToolDescriptor {
  readonly name: string;
  readonly label?: string;
  readonly description: string;
  /** Host-only routing identity. Default `${source}:${name}`. */
  readonly id?: string;
  /** Default `host`. MCP tools arrive through `McpServerDescriptor`. */
  readonly source?: "host" | "client";
  readonly parameters: JsonSchema;
  /** Shape of `details`; trusted, validated after each call. */
  readonly outputSchema?: JsonSchema;
  /** Stays a tool of the model and out of the catalog. */
  readonly directOnly?: boolean;
  readonly replaySafe?: boolean;
  /** Default `parallel`. */
  readonly executionMode?: "parallel" | "sequential";
  /** Its result is controlled by the network. */
  readonly untrusted?: boolean;
  /** Its waiting time suspends the budgets. */
  readonly humanPaced?: boolean;
  execute(input: unknown, context: ToolCallContext): Promise<ToolOutcome> | ToolOutcome;
}

/** What an MCP server's tool returns. */
export interface McpCallResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: unknown;
}

/** One MCP server with its tools. Names, descriptions and schemas are untrusted. */
export interface McpServerDescriptor {
  /** As configured; the namespace identifier is derived from it. */
  readonly name: string;
  /** Default false: results count as untrusted. */
  readonly trusted?: boolean;
  readonly tools: readonly McpToolDescriptor[];
  callTool(name: string, args: Record<string, unknown>, context: ToolCallContext): Promise<McpCallResult>;
  readonly resources?: { readonly list: McpOperation; readonly read: McpOperation };
  readonly prompts?: { readonly list: McpOperation; readonly get: McpOperation };
}

/** One request for resources or prompts. */
export type McpOperation = (params?: unknown, context?: McpRequestContext) => Promise<unknown>;

/** What a request is made for: as of a tool call, where a guest makes it. */
export type McpRequestContext = Partial<Pick<ToolCallContext, "call" | "signal" | "elicit">>;

export interface McpToolDescriptor {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

/** Runs one nested call through the host's policy. Default: hooks, approval, execute, validate. */
export type ToolExecutor = (call: NestedCall, tool: ToolDescriptor, context: ToolCallContext) => Promise<ToolOutcome>;

export interface ToolHooks {
  /** May rewrite the input or block the call; also called for the outer exec, with `toolKind` set. */
  beforeToolCall?(call: NestedCall): Promise<void | { input: unknown } | { block: string }>;
  afterToolCall?(call: NestedCall, outcome: ToolOutcome): Promise<void | ToolOutcome>;
}

/**
 * Asks a person. Budgets are suspended until it settles. Without `question` it decides whether the call may run, once:
 * "allow" or `deny`. With one, the call is under way and its tool asks something: `answer` is what the person filled in,
 * `deny` that the person declines; "allow" answers no question, so a gate that knows of calls only consents to nothing.
 * An answer that does not fit `requestedSchema` is a fault of the gate and reaches no tool.
 *
 * The signal aborts when the call ends or the tool takes its question back; what is decided later counts for nothing.
 */
export type ApprovalGate = (
  call: NestedCall,
  control: { readonly signal: AbortSignal; readonly question?: ElicitationQuestion },
) => Promise<"allow" | { readonly deny: string } | { readonly answer: { readonly [name: string]: JsonValue } }>;

/** Asked what tools ask, and nothing else. Every approval gate can be one. */
export type QuestionGate = (
  call: NestedCall,
  control: { readonly signal: AbortSignal; readonly question: ElicitationQuestion },
) => ReturnType<ApprovalGate>;

/** A tool as the model's provider is told of it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}
