import { checkSchema } from "./check-schema.js";
import { validate } from "./validate.js";
import { valueSize } from "./value-size.js";

export interface ValidatorOptions {
  /**
   * Whether problems may name keys of the value that the schema does not name. Default true; false where a value must
   * not show up in messages.
   */
  readonly showsKeys?: boolean;
}

export type ValidationOutcome =
  | { readonly ok: true }
  /** At most 8 sentences such as `/items/0/id must be a string.`; they never hold a value. */
  | { readonly ok: false; readonly problems: readonly string[] };

export type SchemaValidator = (value: unknown, options?: ValidatorOptions) => ValidationOutcome;

export type CompiledSchema =
  | {
      readonly ok: true;
      readonly validator: SchemaValidator;
      /** Patterns that are not enforced, and why: back references, look-behind, too large. */
      readonly unchecked: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

/**
 * Work of one validation, in schema nodes visited, keys and pattern steps: a start, and so much per value and per
 * character of the value. Honest schemas need a fraction of it; above it a value is refused.
 */
const WORK = { start: 200_000, perValue: 64, perChar: 8 };

/**
 * Makes a validator of JSON values from a JSON Schema, draft 4 to 2020-12. An unsound schema gives a problem.
 *
 * Schema and value may be hostile: compiling and validating are bounded in time and depth, nothing is thrown, no code
 * is generated, and patterns run in time linear in the text. `format` is an annotation. `nullable: true` lets null
 * through. Do not change the schema afterwards.
 */
export function compileSchema(schema: unknown): CompiledSchema {
  const check = checkSchema(schema);
  if (check.status === "unsound") return { ok: false, problem: check.problem };
  const validator: SchemaValidator = (value, options = {}) => {
    const { values, chars } = valueSize(value);
    const maxWork = WORK.start + WORK.perValue * values + WORK.perChar * chars;
    const outcome = validate(check.schema, value, { maxWork, showsKeys: options.showsKeys ?? true });
    return outcome.isValid ? { ok: true } : { ok: false, problems: outcome.problems };
  };
  return { ok: true, validator, unchecked: check.unchecked };
}
