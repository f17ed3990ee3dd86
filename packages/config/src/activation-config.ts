import { describeValue } from "@codemode/protocol";
import { ConfigError } from "./config-error.js";
import type { CodeModeConfigLayer } from "./config-input.js";

/** Per-model rows, keyed `provider/model`. Other fields of a row belong to the host. */
export type ModelOverrides = Readonly<
  Record<string, { readonly codeMode?: boolean; readonly [field: string]: unknown } | undefined>
>;

/** The part of a host's configuration that decides about code mode. */
export interface ActivationConfig {
  readonly tools?: { readonly codeMode?: CodeModeConfigLayer };
  readonly agents?: {
    readonly defaults?: { readonly models?: ModelOverrides };
    readonly entries?: Readonly<Record<string, AgentEntry>>;
  };
}

export interface AgentEntry {
  readonly tools?: { readonly codeMode?: CodeModeConfigLayer };
  readonly models?: ModelOverrides;
}

/**
 * The boolean of one model's row, if it has one. All rows are checked, so that a wrong one is never ignored.
 *
 * @throws {ConfigError} that names the row: for anything but a boolean, and for `codeMode` on a wildcard row.
 */
export function readModelOverride(rows: ModelOverrides | undefined, model: string, path: string): boolean | undefined {
  assertObject(rows, path);
  for (const [name, row] of Object.entries(rows ?? {})) {
    assertObject(row, `${path}[${JSON.stringify(name)}]`);
    const value: unknown = row?.codeMode;
    if (value === undefined) continue;
    const rowPath = `${path}[${JSON.stringify(name)}].codeMode`;
    if (name.includes("*")) throw new ConfigError(rowPath, "a wildcard row cannot set codeMode; name one model");
    if (typeof value !== "boolean") {
      throw new ConfigError(
        rowPath,
        `must be true or false, not ${describeValue(value)}; "auto" belongs on tools.codeMode`,
      );
    }
  }
  return rows !== undefined && Object.hasOwn(rows, model) ? rows[model]?.codeMode : undefined;
}

/** @throws {ConfigError} for anything that is neither an object nor left out. */
export function assertObject(value: unknown, path: string): void {
  if (value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value))) return;
  throw new ConfigError(path, `must be an object, not ${describeValue(value)}`);
}
