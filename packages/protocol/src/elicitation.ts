import type { JsonValue } from "./json.js";

/** What a tool asks a person while its call runs. All of it comes from the tool: data, and as untrusted as the tool is. */
export interface ElicitationQuestion {
  /** A form to fill in; the only way to ask there is. */
  readonly mode: "form";
  /** For the person. At most 4,000 characters. */
  readonly message: string;
  /**
   * JSON Schema of the form: an object with at most 32 `properties`, each a string, a number, a boolean or a list of
   * strings. At most 16 KiB of JSON.
   */
  readonly requestedSchema: { readonly [keyword: string]: unknown };
}

/** `decline`: a person said no. `cancel`: nobody decided. */
export type ElicitationAnswer =
  | { readonly action: "accept"; readonly content: { readonly [name: string]: JsonValue } }
  | { readonly action: "decline" }
  | { readonly action: "cancel" };

/**
 * Puts one question to the host's approval gate. The budgets stand still until it is answered. The signal takes the
 * question back; the end of the call does so too, and the answer is then `cancel`.
 *
 * @throws {CodeModeError} `invalid_argument` for a question beyond its bounds or with an unsound schema.
 */
export type Elicit = (
  question: ElicitationQuestion,
  control?: { readonly signal?: AbortSignal },
) => Promise<ElicitationAnswer>;
