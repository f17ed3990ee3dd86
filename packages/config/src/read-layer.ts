import { LANGUAGES, describeValue } from "@codemode/protocol";
import { ConfigError } from "./config-error.js";
import type { CodeModeConfigInput } from "./config-input.js";
import { LIMIT_RANGES } from "./ranges.js";

const NUMBERS = [...Object.keys(LIMIT_RANGES), "maxToolResultBytes", "searchDefaultLimit"];

const READERS: Readonly<Record<string, (value: unknown, path: string) => void>> = {
  enabled: oneOf([true, false, "auto"]),
  runtime: oneOf(["quickjs-wasi"]),
  mode: oneOf(["only"]),
  overflow: oneOf(["reject", "queue"]),
  catalogIncludesMcp: oneOf([true, false]),
  languages: assertLanguages,
  ...Object.fromEntries(NUMBERS.map((name) => [name, assertNumber])),
};

/**
 * Checks one layer and gives its object form. Configuration comes from files, so any value may arrive.
 *
 * @throws {ConfigError} for an unknown field or a wrong type, with the field's path under `path`.
 */
export function readLayer(layer: unknown, path: string): CodeModeConfigInput {
  if (layer === undefined) return {};
  if (typeof layer === "boolean" || layer === "auto") return { enabled: layer };
  if (typeof layer !== "object" || layer === null || Array.isArray(layer)) {
    throw new ConfigError(path, `must be true, false, "auto" or an object, not ${describeValue(layer)}`);
  }
  for (const [name, value] of Object.entries(layer)) {
    const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
    if (reader === undefined) {
      throw new ConfigError(
        `${path}.${name}`,
        `is not a field; known fields: ${Object.keys(READERS).sort().join(", ")}`,
      );
    }
    if (value !== undefined) reader(value, `${path}.${name}`);
  }
  return layer;
}

function oneOf(allowed: readonly unknown[]): (value: unknown, path: string) => void {
  return (value, path) => {
    if (allowed.includes(value)) return;
    const choices = allowed.map((choice) => JSON.stringify(choice)).join(" or ");
    throw new ConfigError(path, `must be ${choices}, not ${describeValue(value)}`);
  };
}

function assertNumber(value: unknown, path: string): void {
  if (typeof value === "number" && Number.isFinite(value)) return;
  throw new ConfigError(path, `must be a finite number, not ${describeValue(value)}`);
}

function assertLanguages(value: unknown, path: string): void {
  if (!Array.isArray(value) || value.length === 0) {
    throw new ConfigError(path, `must be a list of at least one of ${LANGUAGES.join(", ")}`);
  }
  value.forEach((language: unknown, index) => oneOf(LANGUAGES)(language, `${path}[${index}]`));
}
