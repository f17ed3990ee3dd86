import type { McpToolDescriptor } from "@codemode/protocol";

/** One MCP server as guests see it: a namespace under `MCP`. */
export interface McpNamespacePlan {
  /** As configured. */
  readonly server: string;
  /** Identifier under `MCP`. */
  readonly name: string;
  /** Further keys under `MCP`: the configured name, where it is free. */
  readonly aliases: string[];
  readonly functions: readonly McpFunctionPlan[];
  /** What the server offers besides tools. */
  readonly operations: readonly McpOperationPlan[];
}

/** One request for a server's resources or prompts, as `MCP.<namespace>.<group>.<name>`. */
export interface McpOperationPlan {
  /** Host-only routing identity; never that of a tool. */
  readonly id: string;
  readonly group: "resources" | "prompts";
  readonly name: "list" | "read" | "get";
}

/** One tool of a server as a function of its namespace. */
export interface McpFunctionPlan {
  /** Host-only routing identity. */
  readonly id: string;
  /** Identifier in the namespace. */
  readonly name: string;
  /** Further keys in the namespace: the tool's own name, where it is free. */
  readonly aliases: string[];
  readonly tool: McpToolDescriptor;
}

/** Something about a server or tool that the host should know. Holds no text of the server but the names. */
export interface McpProblem {
  readonly server: string;
  readonly tool?: string;
  readonly problem: string;
}
