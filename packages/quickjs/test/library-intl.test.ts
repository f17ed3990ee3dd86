import fc from "fast-check";
import { expect, test } from "vitest";
import { asCell, createLibraryCells, onHost } from "./library-cells.js";

const { valueOf } = createLibraryCells();
const PARAMETERS = { seed: 11, numRuns: 12 };

/** What an expression comes to in a cell and on the host, given JSON data as `input`. */
async function bothWays(expression: string, input: unknown): Promise<[guest: unknown, host: unknown]> {
  const body = `return ${expression};`;
  return [await valueOf(asCell(body, input)), onHost(body, input)];
}

test.each([
  ['new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).format(1234.5)', "$1,234.50"],
  ['(1234567.891).toLocaleString("en-US")', "1,234,567.891"],
  ['(1234.5).toLocaleString("de-DE", { minimumFractionDigits: 2 })', "1.234,50"],
  ['(12345678901234567890n).toLocaleString("en-US")', "12,345,678,901,234,567,890"],
  ["(1234.5).toLocaleString()", "1,234.5"],
  ["(-0).toLocaleString()", "-0"],
  ['new Date(0).toLocaleDateString("en-US", { timeZone: "America/New_York" })', "12/31/1969"],
  ['new Date(0).toLocaleDateString("de-DE")', "1.1.1970"],
  ['new Date(0).toLocaleString("en-GB", { timeZone: "Asia/Tokyo" })', "01/01/1970, 09:00:00"],
  ['new Date(0).toLocaleTimeString("en-GB")', "00:00:00"],
  ["new Date(NaN).toLocaleString()", "Invalid Date"],
  ['[1234.5, new Date(0), null, 10n].toLocaleString("de-DE")', "1.234,5,1.1.1970, 00:00:00,,10"],
  ['new Float64Array([1234.5, 2]).toLocaleString("de")', "1.234,5,2"],
  ['["b", "a", "C", "ä"].sort((one, other) => one.localeCompare(other)).join("")', "aäbC"],
  ['["z", "a", "ä"].sort((one, other) => one.localeCompare(other, "sv")).join("")', "azä"],
  ['"a10".localeCompare("a9", undefined, { numeric: true })', 1],
  ['["I".toLocaleLowerCase("tr"), "i".toLocaleUpperCase("tr"), "i".toLocaleUpperCase("en")].join("")', "ıİI"],
  ["Intl.DateTimeFormat().resolvedOptions().timeZone", "UTC"],
  ["new Intl.NumberFormat().resolvedOptions().locale", "en-US"],
  ['new Intl.NumberFormat("tlh").resolvedOptions().locale', "en-US"],
  ['new Intl.PluralRules("en", { type: "ordinal" }).select(2)', "two"],
  ['new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-1, "day")', "yesterday"],
  ['new Intl.ListFormat("de").format(["a", "b", "c"])', "a, b und c"],
  ['new Intl.DisplayNames("en", { type: "region" }).of("DE")', "Germany"],
  ['new Intl.DisplayNames("en", { type: "region", fallback: "none" }).of("QX") === undefined', true],
  ['new Intl.Locale("zh-TW").maximize().toString()', "zh-Hant-TW"],
  ['new Intl.NumberFormat(new Intl.Locale("de")).format(1.5)', "1,5"],
  ['Object.prototype.toString.call(new Intl.NumberFormat("en"))', "[object Intl.NumberFormat]"],
  ["Intl.NumberFormat.name + typeof Intl.NumberFormat.prototype.formatToParts", "NumberFormatfunction"],
  ['(class extends Intl.NumberFormat {}).name + (new (class extends Intl.NumberFormat {})("de")).format(1.5)', "1,5"],
])("GUEST-04: %s", async (expression, value) => {
  expect(await valueOf(`return ${expression};`)).toEqual(value);
});

test.each([
  'new Intl.NumberFormat("en").formatToParts(-1234.5)',
  'new Intl.NumberFormat("en").formatRange(1, 2.5)',
  'new Intl.NumberFormat("en").formatRangeToParts(1, 2.5)',
  'new Intl.NumberFormat("en").format("12345678901234567890.5")',
  '[1, 22.5, 3].map(new Intl.NumberFormat("en", { minimumFractionDigits: 2 }).format)',
  'new Intl.NumberFormat("en", { notation: "compact", useGrouping: false }).format(123456)',
  'new Intl.NumberFormat("en", { style: "unit", unit: "kilometer-per-hour" }).resolvedOptions()',
  'new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "long", timeZone: "Europe/Berlin" }).format(0)',
  'new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" }).formatToParts(1e12)',
  'new Intl.DateTimeFormat("en", { month: "long", day: "numeric", timeZone: "UTC" }).formatRange(0, 4e9)',
  'new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" }).formatRangeToParts(0, 4e9)',
  'new Intl.PluralRules("ar").resolvedOptions()',
  'new Intl.RelativeTimeFormat("es").formatToParts(3, "week")',
  'new Intl.ListFormat("en", { type: "disjunction" }).formatToParts(new Set(["a", "b"]))',
  '[..."zäa"].sort(new Intl.Collator("de").compare)',
  'new Intl.Collator("en", { sensitivity: "base" }).compare("a", "Á")',
  'Intl.getCanonicalLocales(["EN-us", "de-latn-de"])',
  'Intl.DateTimeFormat.supportedLocalesOf(["de", "tlh"], { localeMatcher: "lookup" })',
  'Intl.supportedValuesOf("unit")',
  '[...new Intl.Segmenter("en", { granularity: "word" }).segment("Hello there, world!")]',
  '[...new Intl.Segmenter("en", { granularity: "sentence" }).segment("One. Two?\\nThree!")].map((s) => s.segment)',
  '[...new Intl.Segmenter().segment("a👨‍👩‍👧b🇩🇪🇫🇷e\\u0301")].map((s) => s.segment)',
  '[0, 3, 8, 12].map((place) => new Intl.Segmenter().segment("a👨‍👩‍👧b").containing(place) ?? null)',
  '["language", "region", "baseName", "hourCycle"].map((part) => new Intl.Locale("en-Latn-GB-u-hc-h12")[part])',
  '["title", "ǆ", "ß", "Σας"].map((text) => text.toLocaleUpperCase("el") + text.toLocaleLowerCase("lt"))',
])("GUEST-04: the guest gives what the host's own Intl gives: %s", async (expression) => {
  const [guest, host] = await bothWays(expression, null);
  expect(guest).toEqual(host);
});

test.each([
  ['new Intl.DateTimeFormat("en", { timeZone: "Mars/Base" })', "RangeError: Invalid time zone specified: Mars/Base"],
  ['new Intl.NumberFormat("not a tag")', "RangeError: Incorrect locale information provided"],
  ['new Intl.NumberFormat("en", { style: "currency" })', "TypeError: Currency code is required with currency style."],
  [
    '(1).toLocaleString("en", { maximumFractionDigits: 999 })',
    "RangeError: maximumFractionDigits value is out of range.",
  ],
  [
    '(1).toLocaleString("en", { minimumIntegerDigits: NaN })',
    "RangeError: minimumIntegerDigits value is out of range.",
  ],
  ["new Intl.NumberFormat(null)", "TypeError: Incorrect locale information provided"],
  ["new Intl.NumberFormat([5])", "TypeError: Incorrect locale information provided"],
  ['new Intl.NumberFormat("en", null)', "TypeError: options must be an object"],
  ['new Intl.ListFormat("en", 5)', "TypeError: options must be an object"],
  ['new Intl.ListFormat("en").format([1])', "TypeError: Iterable yielded a value that is not a string"],
  ["new Intl.DateTimeFormat().format(NaN)", "RangeError: Invalid time value"],
  ["new Intl.DateTimeFormat().format(new Date(NaN))", "RangeError: Invalid time value"],
  ['Intl.PluralRules("en")', "TypeError: Constructor Intl.PluralRules requires 'new'"],
  [
    "Intl.NumberFormat.prototype.formatToParts.call({}, 1)",
    "TypeError: The method needs an Intl.NumberFormat as its this.",
  ],
  [
    "Object.getOwnPropertyDescriptor(Intl.Collator.prototype, 'compare').get.call(new Intl.NumberFormat())",
    "TypeError: The method needs an Intl.Collator as its this.",
  ],
  ['new Date(0).toLocaleDateString("en", { timeStyle: "short" })', "TypeError: Invalid option : timeStyle"],
  ["Date.prototype.toLocaleString.call({})", "TypeError: not a Date object"],
  [
    "String.prototype.localeCompare.call(null, 'a')",
    "TypeError: String.prototype.localeCompare called on null or undefined",
  ],
  ['Intl.supportedValuesOf("colour")', "RangeError: Invalid key : colour"],
])("GUEST-04: %s is refused as Intl refuses it", async (expression, message) => {
  const code = `try { ${expression}; } catch (error) {
    return [error instanceof (globalThis[error.name] ?? Array), error.name + ": " + error.message];
  }`;
  expect(await valueOf(code)).toEqual([true, message]);
});

const number = fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger());
const locale = fc.constantFrom("en", "de", "ar", "hi", "ja", "fr-CH", "th-u-nu-thai", "xx");
const digits = fc.integer({ min: 0, max: 20 });
const numberOptions = fc.record(
  {
    style: fc.constantFrom("decimal", "percent"),
    maximumFractionDigits: digits,
    notation: fc.constantFrom("standard", "compact", "scientific"),
    signDisplay: fc.constantFrom("auto", "always", "never"),
    useGrouping: fc.constantFrom(true, false, "min2"),
  },
  { requiredKeys: [] },
);
const dateOptions = fc.record(
  {
    weekday: fc.constantFrom("long", "short"),
    year: fc.constantFrom("numeric", "2-digit"),
    month: fc.constantFrom("numeric", "long"),
    hour: fc.constantFrom("numeric", "2-digit"),
    minute: fc.constant("2-digit"),
    hour12: fc.boolean(),
    timeZoneName: fc.constantFrom("short", "long"),
  },
  { requiredKeys: [] },
);
const zone = fc.constantFrom("UTC", "America/New_York", "Asia/Kolkata", "Pacific/Chatham");

test("GUEST-04: any number reads as on the host", async () => {
  const cases = fc.sample(fc.tuple(number, locale, numberOptions), { ...PARAMETERS, numRuns: 300 });
  const expression = `input.map(([value, locale, options]) =>
    Number(value).toLocaleString([locale, "en-US"], options))`;
  const [guest, host] = await bothWays(
    expression,
    cases.map(([value, ...rest]) => [String(value), ...rest]),
  );
  expect(guest).toEqual(host);
});

test("GUEST-04: any date reads as on the host, with every method of Date", async () => {
  const time = fc.integer({ min: -8.64e15, max: 8.64e15 });
  const cases = fc.sample(fc.tuple(time, locale, dateOptions, zone), { ...PARAMETERS, numRuns: 100 });
  const expression = `input.flatMap(([time, locale, options, timeZone]) =>
    ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"].map((method) =>
      new Date(time)[method]([locale, "en-US"], { ...options, timeZone })))`;
  const [guest, host] = await bothWays(expression, cases);
  expect(guest).toEqual(host);
});

test("GUEST-04: texts sort as on the host, plain ones without asking it", async () => {
  const plain = fc.string({ unit: fc.constantFrom(...Array.from(" 019aAbBzZ")), maxLength: 6 });
  const any = fc.string({ unit: fc.constantFrom(...Array.from("aAzäÄß-_.é1 ")), maxLength: 6 });
  const pairs = fc.sample(fc.oneof(fc.tuple(plain, plain), fc.tuple(any, any)), { ...PARAMETERS, numRuns: 2_000 });
  const expression = `input.map(([one, other]) =>
    [one.localeCompare(other, "en"), new Intl.Collator("en").compare(one, other), one.localeCompare(other, "de")])`;
  const [guest, host] = await bothWays(expression, pairs);
  expect(guest).toEqual(host);
});

test("GUEST-04: segments are the host's own where long texts are cut", async () => {
  const unit = fc.constantFrom(
    ...Array.from("ab1 \t\n.,'éก中"),
    "\r\n",
    "👨‍👩‍👧",
    "🇩🇪",
    "e\u0301",
    "\u200d",
    "...",
    "3.14",
    "can't",
  );
  const texts = fc.sample(fc.string({ unit, minLength: 80, maxLength: 300 }), { ...PARAMETERS, numRuns: 30 });
  const expression = `input.flatMap((text) => ["grapheme", "word", "sentence"].map((granularity) =>
    [...new Intl.Segmenter("en", { granularity }).segment(text)].map((s) => [s.index, s.isWordLike])))`;
  const [guest, host] = await bothWays(expression, texts);
  expect(guest).toEqual(host);
});
