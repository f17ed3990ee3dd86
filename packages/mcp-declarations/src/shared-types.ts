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
}`;

/** Types of what a server offers besides tools; declared where it does. */
export const OPERATION_TYPES = `interface McpResourcesListResult {
  resources: { uri: string; name: string; description?: string; mimeType?: string }[];
  nextCursor?: string;
}
interface McpResourcesReadResult {
  contents: { uri: string; mimeType?: string; text?: string; blob?: string }[];
}
interface McpPromptsListResult {
  prompts: {
    name: string;
    description?: string;
    arguments?: { name: string; description?: string; required?: boolean }[];
  }[];
  nextCursor?: string;
}
interface McpPromptsGetResult {
  messages: { role: string; content: McpContent }[];
  description?: string;
}`;
