import { TypeErrorConstructor, createObject, toText } from "../../library-primordials.js";

/** Options by what they are read as. */
interface OptionNames {
  readonly text: readonly string[];
  readonly number: readonly string[];
  readonly boolean: readonly string[];
}

const NONE: readonly string[] = [];
const DIGITS = [
  "minimumIntegerDigits",
  "minimumFractionDigits",
  "maximumFractionDigits",
  "minimumSignificantDigits",
  "maximumSignificantDigits",
  "roundingIncrement",
];
const NUMBER_TEXT = [
  "localeMatcher",
  "numberingSystem",
  "style",
  "currency",
  "currencyDisplay",
  "currencySign",
  "unit",
  "unitDisplay",
  "notation",
  "compactDisplay",
  "signDisplay",
  "roundingMode",
  "roundingPriority",
  "trailingZeroDisplay",
  "type",
];
const DATE_TEXT = [
  "localeMatcher",
  "calendar",
  "numberingSystem",
  "hourCycle",
  "timeZone",
  "weekday",
  "era",
  "year",
  "month",
  "day",
  "dayPeriod",
  "hour",
  "minute",
  "second",
  "timeZoneName",
  "formatMatcher",
  "dateStyle",
  "timeStyle",
];
const COLLATOR_TEXT = ["usage", "localeMatcher", "collation", "caseFirst", "sensitivity"];
const LOCALE_TEXT = [
  "language",
  "script",
  "region",
  "calendar",
  "collation",
  "hourCycle",
  "caseFirst",
  "numberingSystem",
];

const OPTIONS = {
  NumberFormat: optionNames(NUMBER_TEXT, DIGITS),
  DateTimeFormat: optionNames(DATE_TEXT, ["fractionalSecondDigits"], ["hour12"]),
  PluralRules: optionNames(NUMBER_TEXT, DIGITS),
  RelativeTimeFormat: optionNames(["localeMatcher", "numberingSystem", "style", "numeric"]),
  ListFormat: optionNames(["localeMatcher", "type", "style"]),
  Collator: optionNames(COLLATOR_TEXT, NONE, ["numeric", "ignorePunctuation"]),
  DisplayNames: optionNames(["localeMatcher", "style", "type", "fallback", "languageDisplay"]),
  Segmenter: optionNames(["localeMatcher", "granularity"]),
  Locale: optionNames(LOCALE_TEXT, NONE, ["numeric"]),
  /** `supportedLocalesOf`. */
  Support: optionNames(["localeMatcher"]),
};
/** Either text or a boolean. */
const GROUPING = ["useGrouping"];

/** Every field is the row's own: a missing one would be looked up on a prototype. */
function optionNames(text: readonly string[], number = NONE, boolean = NONE): OptionNames {
  return { text, number, boolean };
}

export type OptionsOf = keyof typeof OPTIONS;
type PlainOptions = Record<string, string | number | boolean>;

/** Reads an `options` argument to plain data, once and in the guest: its getters and Proxies are the cell's own. */
export function readOptions(of: OptionsOf, options: unknown): PlainOptions {
  const read = createObject(null) as PlainOptions;
  const names = OPTIONS[of];
  if (options === undefined) return read;
  if (options === null || (refusesPrimitives(of) && typeof options !== "object" && typeof options !== "function")) {
    throw new TypeErrorConstructor("options must be an object");
  }
  const source = options as Record<string, unknown>;
  readEach(source, names.text, read, (value) => toText(value));
  readEach(source, names.number, read, plainNumber);
  readEach(source, names.boolean, read, (value) => !!value);
  if (of === "NumberFormat") readEach(source, GROUPING, read, grouping);
  return read;
}

function refusesPrimitives(of: OptionsOf): boolean {
  return of === "ListFormat" || of === "DisplayNames" || of === "Segmenter";
}

function readEach(
  source: Record<string, unknown>,
  names: readonly string[],
  target: PlainOptions,
  plain: (value: unknown) => string | number | boolean,
): void {
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string;
    const value = source[name];
    if (value !== undefined) target[name] = plain(value);
  }
}

/** A number JSON cannot carry crosses as text, which Intl refuses like the number. */
function plainNumber(value: unknown): number | string {
  const number = +(value as number);
  return number - number === 0 ? number : `${number}`;
}

function grouping(value: unknown): string | boolean {
  return value === true || !value ? value === true : toText(value);
}
