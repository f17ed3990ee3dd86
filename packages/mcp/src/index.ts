// prettier-ignore
export { connectMcpServers, type McpConnection } from "./connect-mcp-servers.js";
// prettier-ignore
export { parseMcpConfig, type HttpServerConfig, type McpConfig, type McpServerConfig, type StdioServerConfig } from "./mcp-config.js";
// prettier-ignore
export { describeFront } from "./describe-front.js";
// prettier-ignore
export type { McpFrontEvent } from "./front/front-event.js";
// prettier-ignore
export type { HttpFrontOptions, McpFront, ServeMcpOptions, StdioFrontOptions } from "./front/front-options.js";
// prettier-ignore
export type { FrontSurface, FrontTool } from "./front/front-surface.js";
// prettier-ignore
export type { McpLogEntry, McpProgress } from "./server-notes.js";
export type { McpConnectOptions, McpReconnectEvent } from "./options.js";
// prettier-ignore
export type { McpServerProblem } from "./problem.js";
// prettier-ignore
export { readMcpConfig } from "./read-mcp-config.js";
// prettier-ignore
export { serveMcp } from "./serve-mcp.js";
