import type { CellLanguage, CellLimits } from "@codemode/protocol";

/** `true` engages, `false` does not, `"auto"` only for models their catalog prefers. */
export type ActivationTier = boolean | "auto";

/** What a host may configure; every field is optional and limits are clamped to their range. */
export interface CodeModeConfigInput extends Partial<CellLimits> {
  readonly enabled?: ActivationTier;
  readonly runtime?: "quickjs-wasi";
  readonly mode?: "only";
  /** Any non-empty subset of the two. */
  readonly languages?: readonly CellLanguage[];
}

/** One layer: the object form, or the shorthand for `{ enabled }`. */
export type CodeModeConfigLayer = ActivationTier | CodeModeConfigInput;

/** Complete and clamped. */
export interface CodeModeConfig {
  readonly enabled: ActivationTier;
  readonly runtime: "quickjs-wasi";
  readonly mode: "only";
  readonly languages: readonly CellLanguage[];
  readonly limits: CellLimits;
}
