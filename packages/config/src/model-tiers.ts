/** How well a model writes short programs. `capable` is also what an absent flag means. */
export type ModelTier = "preferred" | "capable";

/** One row of a provider's model catalog. */
export interface ModelRow {
  readonly provider: string;
  readonly id: string;
  /** `provider/model` of the row whose weights this row serves, where the names differ. */
  readonly upstreamModel?: string;
  readonly compat?: { readonly supportsTools?: boolean; readonly codeMode?: ModelTier };
}

/** Models evaluated on their first-party endpoints and found to write programs well, by provider. */
export const preferredModels: Readonly<Record<string, readonly string[]>> = {
  anthropic: [
    "claude-fable-5",
    "claude-opus-5",
    "claude-sonnet-5",
    "claude-mythos-5",
    "claude-opus-4-8",
    "claude-haiku-4-5",
  ],
  deepseek: ["deepseek-v4-pro", "deepseek-v4-flash"],
  google: [
    "gemini-3-flash-preview",
    "gemini-3.1-pro-preview",
    "gemini-3.1-flash-lite",
    "gemini-3.5-flash",
    "gemini-3.5-flash-lite",
    "gemini-3.6-flash",
    "gemini-3.7-flash",
  ],
  kimi: ["k3", "k3-256k"],
  minimax: ["MiniMax-M3"],
  moonshot: ["kimi-k3"],
  openai: ["gpt-5.6", "gpt-5.6-sol", "gpt-5.6-terra", "gpt-5.6-luna", "gpt-5.5", "gpt-5.5-pro"],
  xiaomi: ["mimo-v2.5"],
  zai: ["glm-5.3", "glm-5.2", "glm-5.1"],
};

/** Providers that resell others' models; theirs are `capable` until evaluated on that endpoint. */
export const resellerProviders: readonly string[] = [
  "baseten",
  "deepinfra",
  "github-copilot",
  "gmi",
  "novita",
  "nvidia",
  "ollama-cloud",
  "opencode",
  "opencode-go",
  "qianfan",
  "together",
  "venice",
  "volcengine-plan",
];

/** The tier a row states itself, else the shipped table's. */
export function tierOf(row: ModelRow): ModelTier {
  if (row.compat?.codeMode !== undefined) return row.compat.codeMode;
  const shipped = Object.hasOwn(preferredModels, row.provider) ? preferredModels[row.provider] : undefined;
  return shipped?.includes(row.id) === true ? "preferred" : "capable";
}
