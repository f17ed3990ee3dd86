// prettier-ignore
export type { ActivationConfig, AgentEntry, ModelOverrides } from "./activation-config.js";
export { auditModelTiers, type TierFinding } from "./audit-model-tiers.js";
export { ConfigError } from "./config-error.js";
// prettier-ignore
export type { ActivationTier, CodeModeConfig, CodeModeConfigInput, CodeModeConfigLayer } from "./config-input.js";
// prettier-ignore
export { preferredModels, resellerProviders, tierOf, type ModelRow, type ModelTier } from "./model-tiers.js";
export { LIMIT_RANGES, type LimitRange } from "./ranges.js";
export { resolveActivation, type ActivationInput, type ActivationRun } from "./resolve-activation.js";
export { DEFAULT_LIMITS, resolveConfig } from "./resolve-config.js";
