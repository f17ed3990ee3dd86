export { renderFunctionDeclaration } from "./render-function.js";
export { renderOperation } from "./render-operations.js";
export type { McpOperationPlan, McpFunctionPlan, McpNamespacePlan, McpProblem } from "./plan.js";
// prettier-ignore
export { renderMcpDeclarations, type McpDeclarations, type McpDeclarationsOptions } from "./render-mcp-declarations.js";
