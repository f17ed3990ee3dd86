import { checkSchema } from "./check-schema.js";
import { validate } from "./validate.js";

export interface ValidatorOptions {
  /**
   * Whether problems may name keys of the value that the schema does not name. Default true; false where a value must
   * not show up in messages.
   */
  readonly showsKeys?: boolean;
}

export type ValidationOutcome =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** At most 8 sentences such as `/items/0/id must be a string.`; they never hold a value. */
      readonly problems: readonly string[];
      /** Whether the value is too large, or nested too deeply, for the schema to be checked: it may be fine. */
      readonly isTooLarge: boolean;
    };

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
 * Work of one validation, in schema nodes visited, keys and pattern steps. Spent in about 50 ms, since the thread that
 * validates has other things to do; enough for tens of thousands of values and for megabytes of text.
 */
const MAX_WORK = 150_000;

/**
 * Makes a validator of JSON values from a JSON Schema, draft 4 to 2020-12. An unsound schema gives a problem.
 *
 * Schema and value may be hostile: compiling and validating are bounded in time and depth, nothing is thrown, no code
 * is generated, and patterns run in time linear in the text. A value that cannot be checked within the bounds is refused
 * as too large. `format` is an annotation. `nullable: true` lets null
 * through. Do not change the schema afterwards.
 */
export function compileSchema(schema: unknown): CompiledSchema {
  const check = checkSchema(schema);
  if (check.status === "unsound") return { ok: false, problem: check.problem };
  const validator: SchemaValidator = (value, options = {}) => {
    const showsKeys = options.showsKeys ?? true;
    const { isValid, problems, isTooLarge } = validate(check.schema, value, { maxWork: MAX_WORK, showsKeys });
    return isValid ? { ok: true } : { ok: false, problems, isTooLarge };
  };
  return { ok: true, validator, unchecked: check.unchecked };
}
