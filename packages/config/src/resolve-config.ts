import { LANGUAGES, type CellLimits } from "@codemode/protocol";
import type { CodeModeConfig, CodeModeConfigInput, CodeModeConfigLayer } from "./config-input.js";
import { DEFAULT_SEARCH_LIMIT, LIMIT_RANGES, MIN_TOOL_RESULT_BYTES, clamp, type RangedLimit } from "./ranges.js";
import { readLayer } from "./read-layer.js";

/**
 * Merges layers field by field, the last one that sets a field winning, fills in defaults and clamps.
 *
 * @throws {ConfigError} with the path of the field, under `codeMode`.
 */
export function resolveConfig(...layers: readonly (CodeModeConfigLayer | undefined)[]): CodeModeConfig {
  return completeConfig(mergeLayers(layers.map((layer) => readLayer(layer, "codeMode"))));
}

/** Later layers win; a field set to `undefined` does not count as set. */
export function mergeLayers(layers: readonly CodeModeConfigInput[]): CodeModeConfigInput {
  const set = layers.flatMap((layer) => Object.entries(layer).filter(([, value]) => value !== undefined));
  return Object.fromEntries(set);
}

export function completeConfig(input: CodeModeConfigInput): CodeModeConfig {
  const languages = input.languages ?? LANGUAGES;
  return {
    enabled: input.enabled ?? false,
    runtime: "quickjs-wasi",
    mode: "only",
    languages: LANGUAGES.filter((language) => languages.includes(language)),
    limits: limitsOf(input),
  };
}

function limitsOf(input: CodeModeConfigInput): CellLimits {
  const ranged = Object.fromEntries(
    Object.entries(LIMIT_RANGES).map(([name, range]) => {
      return [name, clamp(input[name as RangedLimit] ?? range.default, range.min, range.max)];
    }),
  ) as Record<RangedLimit, number>;
  const toolResultBytes = input.maxToolResultBytes ?? ranged.maxOutputBytes;
  return {
    ...ranged,
    overflow: input.overflow ?? "reject",
    catalogIncludesMcp: input.catalogIncludesMcp ?? false,
    maxToolResultBytes: clamp(toolResultBytes, MIN_TOOL_RESULT_BYTES, ranged.memoryLimitBytes),
    searchDefaultLimit: clamp(input.searchDefaultLimit ?? DEFAULT_SEARCH_LIMIT, 1, ranged.maxSearchLimit),
  };
}

/** The limits of a host that configures nothing. */
export const DEFAULT_LIMITS: CellLimits = limitsOf({});
