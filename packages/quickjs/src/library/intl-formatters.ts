import { withDateDefaults, type DateDefaults } from "./date-defaults.js";
import { dateOf, numberOf } from "./intl-values.js";
import { localesField, malformed, optionsField, parseFields, textOf, textsOf } from "./library-request.js";
import type { Options } from "./library-request.js";
import { segmentStarts } from "./text-segments.js";

type Inputs = readonly unknown[];
type Calls<Formatter> = Readonly<Record<string, (formatter: Formatter, inputs: Inputs) => unknown>>;

/** One formatter object of the host, as what it can be asked. */
export type Formatter = (call: string, inputs: Inputs) => unknown;

const MAX_CODE_CHARS = 256;
/** Marks on one letter are brought into order in quadratic time; no script has so many. */
const MANY_MARKS = /\p{Mn}{64}/u;

/** The type declarations do not know ranges of plural rules yet. */
type RangeRules = Intl.PluralRules & { selectRange(start: number, end: number): string };

/** The locale whenever none that is asked for is known, so that texts do not depend on the machine. */
const DEFAULT_LOCALE = "en-US";

/**
 * Opens the formatter a spec describes: JSON text of its kind, locales and options.
 *
 * @throws {RangeError | TypeError} for the guest, when Intl refuses locales or options.
 */
export function openFormatter(spec: string): Formatter {
  const fields = parseFields(spec);
  const open = ownOf(KINDS, fields["kind"], "kind");
  return open([...localesField(fields), DEFAULT_LOCALE], optionsField(fields), fields["defaults"] as DateDefaults);
}

/** The locales of a list that a kind of formatter supports. */
export function supportedLocales(kind: unknown, locales: string[], options: Options): string[] {
  ownOf(KINDS, kind, "kind");
  return Intl[kind as "NumberFormat"].supportedLocalesOf(locales, options);
}

function kind<Value>(
  create: (locales: string[], options: Options, defaults: DateDefaults) => Value,
  calls: Calls<Value>,
): (...inputs: Parameters<typeof create>) => Formatter {
  return (...inputs) => {
    const formatter = create(...inputs);
    return (call, values) => ownOf(calls, call, "call")(formatter, values);
  };
}

const KINDS = {
  NumberFormat: kind((locales, options) => new Intl.NumberFormat(locales, options), {
    resolvedOptions: (format) => format.resolvedOptions(),
    format: (format, [value]) => format.format(numberOf(value)),
    formatToParts: (format, [value]) => format.formatToParts(numberOf(value)),
    formatRange: (format, [start, end]) => format.formatRange(numberOf(start), numberOf(end)),
    formatRangeToParts: (format, [start, end]) => format.formatRangeToParts(numberOf(start), numberOf(end)),
  }),
  DateTimeFormat: kind(
    (locales, options, defaults) => new Intl.DateTimeFormat(locales, withDateDefaults(options, defaults)),
    {
      resolvedOptions: (format) => format.resolvedOptions(),
      format: (format, [value]) => format.format(dateOf(value)),
      formatToParts: (format, [value]) => format.formatToParts(dateOf(value)),
      formatRange: (format, [start, end]) => format.formatRange(dateOf(start), dateOf(end)),
      formatRangeToParts: (format, [start, end]) => format.formatRangeToParts(dateOf(start), dateOf(end)),
    },
  ),
  PluralRules: kind((locales, options) => new Intl.PluralRules(locales, options), {
    resolvedOptions: (rules) => rules.resolvedOptions(),
    select: (rules, [value]) => rules.select(Number(numberOf(value))),
    selectRange: (rules, [start, end]) =>
      (rules as RangeRules).selectRange(Number(numberOf(start)), Number(numberOf(end))),
  }),
  RelativeTimeFormat: kind((locales, options) => new Intl.RelativeTimeFormat(locales, options), {
    resolvedOptions: (format) => format.resolvedOptions(),
    format: (format, [value, unit]) => format.format(Number(numberOf(value)), unitOf(unit)),
    formatToParts: (format, [value, unit]) => format.formatToParts(Number(numberOf(value)), unitOf(unit)),
  }),
  ListFormat: kind((locales, options) => new Intl.ListFormat(locales, options), {
    resolvedOptions: (format) => format.resolvedOptions(),
    format: (format, [list]) => format.format(textsOf(list, "list")),
    formatToParts: (format, [list]) => format.formatToParts(textsOf(list, "list")),
  }),
  Collator: kind((locales, options) => new Intl.Collator(locales, options), {
    resolvedOptions: (collator) => collator.resolvedOptions(),
    compare: (collator, [one, other]) => collator.compare(modestText(one), modestText(other)),
  }),
  DisplayNames: kind(
    (locales, options) => new Intl.DisplayNames(locales, options as unknown as Intl.DisplayNamesOptions),
    {
      resolvedOptions: (names) => names.resolvedOptions(),
      of: (names, [code]) => names.of(textOf(code, "code", MAX_CODE_CHARS)),
    },
  ),
  Segmenter: kind((locales, options) => new Intl.Segmenter(locales, options), {
    resolvedOptions: (segmenter) => segmenter.resolvedOptions(),
    segment: (segmenter, [text]) => segmentStarts(segmenter, textOf(text, "text")),
  }),
} as const;

/** A text that is compared in a time that grows with its length. */
function modestText(value: unknown): string {
  const text = textOf(value, "text");
  if (!MANY_MARKS.test(text)) return text;
  throw new RangeError("A text with so many combining marks in a row cannot be compared.");
}

function unitOf(unit: unknown): Intl.RelativeTimeFormatUnit {
  return textOf(unit, "unit", MAX_CODE_CHARS) as Intl.RelativeTimeFormatUnit;
}

function ownOf<Table extends object>(table: Table, key: unknown, what: string): Table[keyof Table] {
  if (typeof key === "string" && Object.hasOwn(table, key)) return table[key as keyof Table];
  throw malformed(what);
}
