import { TypeErrorConstructor, append, bareList, execute, toText } from "../../library-primordials.js";

import { listOf } from "../iterate.js";
import { quoted, quotedList } from "../json-fields.js";
import { addGetter, type Method } from "../name-class.js";
import { comparePlainTexts } from "./compare-texts.js";
import type { FormatterClass, Formatters, Kind } from "./formatters.js";
import { dateMs, numberText } from "./intl-inputs.js";
import { segmentsOf, type SegmentStart } from "./segments.js";

/** The spec of a collator without options, for English. */
const ENGLISH_COLLATOR = /^"\{\\"kind\\":\\"Collator\\",\\"locales\\":\[(?:\\"en(?:-US)?\\")?\],\\"options\\":\{\}/;

/** Reads inputs to JSON, with commas between. */
type Read = (first: unknown, second: unknown) => string;

/** The formatter classes of `Intl`, by their names. */
export function createIntlClasses(formatters: Formatters): Record<Kind, FormatterClass> {
  const { askFor, create } = formatters;

  /** A method that asks the host for what it is called. */
  const asking = (kind: Kind, call: string, read: Read): Method =>
    function (this: unknown, first?: unknown, second?: unknown) {
      return askFor(this, kind, call, read(first, second));
    };
  /** A getter of a function that is bound to its object, so that it can be handed to `map` or `sort`. */
  const addBound = (kind: Kind, formatter: FormatterClass, call: string, read: Read): void =>
    addGetter(formatter.prototype, call, function () {
      const state = formatters.stateOf(this, kind);
      state.bound ??= (first?: unknown, second?: unknown) => formatters.ask(state.spec, call, read(first, second));
      return state.bound;
    });

  const NumberFormat = create("NumberFormat", {
    formatToParts: asking("NumberFormat", "formatToParts", oneNumber),
    formatRange: asking("NumberFormat", "formatRange", numberRange),
    formatRangeToParts: asking("NumberFormat", "formatRangeToParts", numberRange),
  });
  addBound("NumberFormat", NumberFormat, "format", oneNumber);

  const DateTimeFormat = create("DateTimeFormat", {
    formatToParts: asking("DateTimeFormat", "formatToParts", oneDate),
    formatRange: asking("DateTimeFormat", "formatRange", dateRange),
    formatRangeToParts: asking("DateTimeFormat", "formatRangeToParts", dateRange),
  });
  addBound("DateTimeFormat", DateTimeFormat, "format", oneDate);

  const Collator = create("Collator", {});
  addGetter(Collator.prototype, "compare", function () {
    const state = formatters.stateOf(this, "Collator");
    const isPlain = execute(ENGLISH_COLLATOR, state.spec) !== null;
    state.bound ??= (first?: unknown, second?: unknown) => {
      const one = toText(first);
      const other = toText(second);
      const quick = isPlain ? comparePlainTexts(one, other) : undefined;
      return quick ?? formatters.ask(state.spec, "compare", `${quoted(one)},${quoted(other)}`);
    };
    return state.bound;
  });

  return {
    NumberFormat,
    DateTimeFormat,
    Collator,
    PluralRules: create("PluralRules", {
      select: asking("PluralRules", "select", oneNumber),
      selectRange: asking("PluralRules", "selectRange", numberRange),
    }),
    RelativeTimeFormat: create("RelativeTimeFormat", {
      format: asking("RelativeTimeFormat", "format", numberAndUnit),
      formatToParts: asking("RelativeTimeFormat", "formatToParts", numberAndUnit),
    }),
    ListFormat: create("ListFormat", {
      format: asking("ListFormat", "format", oneList),
      formatToParts: asking("ListFormat", "formatToParts", oneList),
    }),
    DisplayNames: create("DisplayNames", {
      of(code?: unknown) {
        // JSON has no undefined: a name that is not known comes as null.
        return askFor(this, "DisplayNames", "of", quoted(toText(code))) ?? undefined;
      },
    }),
    Segmenter: create("Segmenter", {
      segment(text?: unknown) {
        const input = toText(text);
        return segmentsOf(input, askFor(this, "Segmenter", "segment", quoted(input)) as SegmentStart[]);
      },
    }),
  };
}

const oneNumber: Read = (value) => quoted(numberText(value));
const numberRange: Read = (start, end) => `${quoted(numberText(present(start)))},${quoted(numberText(present(end)))}`;
const oneDate: Read = (value) => `${dateMs(value)}`;
const dateRange: Read = (start, end) => `${dateMs(present(start))},${dateMs(present(end))}`;
const numberAndUnit: Read = (value, unit) => `${quoted(numberText(value))},${quoted(toText(unit))}`;
const oneList: Read = (list) => quotedList(textList(list));

function present(value: unknown): unknown {
  if (value === undefined) throw new TypeErrorConstructor("A range needs a start and an end.");
  return value;
}

function textList(list: unknown): string[] {
  const values = list === undefined ? bareList<unknown>() : listOf(list);
  const texts = bareList<string>();
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (typeof value !== "string") throw new TypeErrorConstructor("Iterable yielded a value that is not a string");
    append(texts, value);
  }
  return texts;
}
