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
