import type { McpNamespacePlan, McpOperationPlan } from "./plan.js";

const SIGNATURES: Readonly<Record<string, string>> = {
  "resources/list": "list(input?: { cursor?: string }): Promise<McpResourcesListResult>",
  "resources/read": "read(input: { uri: string }): Promise<McpResourcesReadResult>",
  "prompts/list": "list(input?: { cursor?: string }): Promise<McpPromptsListResult>",
  "prompts/get": "get(input: { name: string; arguments?: { [key: string]: string } }): Promise<McpPromptsGetResult>",
};

/** Members of a server's namespace for its resources and prompts, with the indentation of members. */
export function renderOperations({ operations }: McpNamespacePlan): readonly string[] {
  const groups = new Map<string, McpOperationPlan[]>();
  for (const operation of operations) groups.set(operation.group, [...(groups.get(operation.group) ?? []), operation]);
  return [...groups].map(([group, members]) =>
    [`  namespace ${group} {`, ...members.map((member) => `    function ${signatureOf(member)};`), "  }"].join("\n"),
  );
}

/** The declaration of one, for a reader who asks for it alone. */
export function renderOperation(operation: McpOperationPlan): string {
  return `function ${signatureOf(operation)};`;
}

function signatureOf({ group, name }: McpOperationPlan): string {
  return SIGNATURES[`${group}/${name}`] ?? `${name}(input?: unknown): Promise<unknown>`;
}
