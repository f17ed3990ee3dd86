/**
 * Types that the servers' files declare. Interfaces without index signatures, because equal ones merge: a
 * file stands alone, and all files together still compile.
 */
export const SHARED_TYPES = `interface McpContent {
  type: string;
  text?: string;
  data?: string;
  mimeType?: string;
  uri?: string;
  name?: string;
  resource?: { uri: string; mimeType?: string; text?: string; blob?: string };
  annotations?: unknown;
  _meta?: unknown;
}
interface McpToolResult<Structured = unknown> {
  content: McpContent[];
  structuredContent?: Structured;
  isError?: boolean;
}
interface McpApiHeader {
  header: string;
  tools?: unknown[];
  schemas?: { [toolName: string]: unknown };
}`;

export const RESOURCE_TYPES = `interface McpResourcesListResult {
  resources: unknown[];
  nextCursor?: string;
}
interface McpResourcesReadResult {
  contents: unknown[];
}`;

export const PROMPT_TYPES = `interface McpPromptsListResult {
  prompts: unknown[];
  nextCursor?: string;
}
interface McpPromptsGetResult {
  messages: unknown[];
  description?: string;
}`;

export const API_FUNCTION = `  /** This text; with a function's name only its part, with \`schema\` also its JSON Schema. */
  function $api(toolName?: string, options?: { schema?: boolean }): Promise<McpApiHeader>;`;

export const RESOURCES = `  namespace resources {
    function list(params?: { cursor?: string }): Promise<McpResourcesListResult>;
    function read(params: { uri: string }): Promise<McpResourcesReadResult>;
  }`;

export const PROMPTS = `  namespace prompts {
    function list(params?: { cursor?: string }): Promise<McpPromptsListResult>;
    function get(params: { name: string; arguments?: { [key: string]: string } }): Promise<McpPromptsGetResult>;
  }`;
