import { CodeModeError } from "@codemode/protocol";

/** Longest text of one field, in UTF-16 units: what the host does with it stays a matter of milliseconds. */
const MAX_TEXT_CHARS = 65_536;
/** Longest name, tag or option, in UTF-16 units. */
const MAX_WORD_CHARS = 256;
const MAX_TEXTS = 8_192;
const MAX_OPTIONS = 40;
const MAX_LOCALES = 100;

export type Fields = Readonly<Record<string, unknown>>;
export type Options = Readonly<Record<string, string | number | boolean>>;

/** A question of the guest's library. Untrusted: the guest's memory is in hostile hands. */
export function parseFields(text: string): Fields {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw malformed("question");
  return value as Fields;
}

/** @throws {RangeError} for the guest, when the text is too long. */
export function textField(fields: Fields, key: string, maxChars = MAX_TEXT_CHARS): string {
  return textOf(fields[key], key, maxChars);
}

export function wordField(fields: Fields, key: string): string {
  return textField(fields, key, MAX_WORD_CHARS);
}

export function textOf(value: unknown, what: string, maxChars = MAX_TEXT_CHARS): string {
  if (typeof value !== "string") throw malformed(what);
  if (value.length <= maxChars) return value;
  throw new RangeError(`A text of ${value.length} characters is too long here: at most ${maxChars}.`);
}

/** Texts whose lengths together stay within the limit of one. */
export function textsOf(value: unknown, what: string): string[] {
  if (!Array.isArray(value)) throw malformed(what);
  if (value.length > MAX_TEXTS) throw new RangeError(`${value.length} texts are too many here: at most ${MAX_TEXTS}.`);
  let left = MAX_TEXT_CHARS;
  return value.map((item: unknown) => {
    left -= textOf(item, what).length;
    if (left < 0) throw new RangeError(`The texts are too long together: at most ${MAX_TEXT_CHARS} characters.`);
    return item as string;
  });
}

/** Language tags, not yet checked. */
export function localesField(fields: Fields): string[] {
  const tags = fields["locales"];
  if (!Array.isArray(tags) || tags.length > MAX_LOCALES) throw malformed("locales");
  return tags.map((tag: unknown) => textOf(tag, "locales", MAX_WORD_CHARS));
}

export function optionsField(fields: Fields): Options {
  const given = fields["options"];
  if (typeof given !== "object" || given === null) throw malformed("options");
  const entries = Object.entries(given);
  if (entries.length > MAX_OPTIONS) throw malformed("options");
  const options = Object.create(null) as Record<string, string | number | boolean>;
  for (const [name, value] of entries) options[name] = optionOf(value);
  return options;
}

function optionOf(value: unknown): string | number | boolean {
  if (typeof value === "number" || typeof value === "boolean") return value;
  return textOf(value, "options", MAX_WORD_CHARS);
}

export function malformed(what: string): CodeModeError {
  const details = { from: "guest", problem: `${what} of a library question` };
  return new CodeModeError("malformed_message", "The guest library's question has an unknown shape.", details);
}
