export type { McpFunctionPlan, McpNamespacePlan, McpProblem } from "./plan.js";
// prettier-ignore
export { renderMcpDeclarations, type McpDeclarations, type McpDeclarationsOptions } from "./render-mcp-declarations.js";
