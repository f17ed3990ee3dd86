import {
  TypeErrorConstructor,
  bigintValue,
  execute,
  numberValue,
  timeOf,
  toLowerCase,
  toText,
  toUpperCase,
  typedArrayLength,
  typedArrayTag,
} from "../../library-primordials.js";
import type { Ask } from "../../library-services.js";
import { quoted, quotedList } from "../json-fields.js";
import { comparePlainTexts } from "./compare-texts.js";
import type { DateDefaults, Formatters } from "./formatters.js";
import { dateMs, numberText } from "./intl-inputs.js";

/** Languages whose capital and small letters are their own; the engine knows those of all others. */
const PLAIN_LETTER_CASE = /^(?!(?:az|el|hy|lt|tr)(?:-|$))[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-[A-Za-z]{2})?$/;
const ENGLISH = /^en(?:-US)?$/;

/** The methods of built-in prototypes that take `locales`. Each gets its `this` first. */
export interface LocaleMethods {
  numberText(self: unknown, locales: unknown, options: unknown): string;
  bigintText(self: unknown, locales: unknown, options: unknown): string;
  dateText(self: unknown, defaults: DateDefaults, locales: unknown, options: unknown): string;
  listText(self: unknown, locales: unknown, options: unknown): string;
  compare(self: unknown, other: unknown, locales: unknown, options: unknown): number;
  letterCase(self: unknown, isUpper: boolean, locales: unknown): string;
}

export function createLocaleMethods(
  ask: Ask,
  formatters: Formatters,
  tagsOf: (locales: unknown) => string[],
): LocaleMethods {
  return {
    numberText(self, locales, options) {
      const value = quoted(numberText(numberValue(self)));
      return formatters.ask(formatters.specOf("NumberFormat", locales, options), "format", value) as string;
    },
    bigintText(self, locales, options) {
      const value = quoted(numberText(bigintValue(self)));
      return formatters.ask(formatters.specOf("NumberFormat", locales, options), "format", value) as string;
    },
    dateText(self, defaults, locales, options) {
      const time = timeOf(self);
      const spec = formatters.specOf("DateTimeFormat", locales, options, defaults);
      return time === time ? (formatters.ask(spec, "format", `${dateMs(time)}`) as string) : "Invalid Date";
    },
    listText(self, locales, options) {
      if (self === undefined || self === null) throw new TypeErrorConstructor("cannot convert to object");
      const list = self as { readonly length: unknown; readonly [index: number]: unknown };
      const length = typedArrayTag(self) === undefined ? +(list.length as number) : typedArrayLength(self);
      let text = "";
      for (let index = 0; index < length; index++) {
        const item = list[index] as { toLocaleString(locales: unknown, options: unknown): string } | null | undefined;
        text += index === 0 ? "" : ",";
        if (item !== undefined && item !== null) text += toText(item.toLocaleString(locales, options));
      }
      return text;
    },
    compare(self, other, locales, options) {
      const one = textOfThis(self, "localeCompare");
      const that = toText(other);
      const isEnglish = locales === undefined || (typeof locales === "string" && execute(ENGLISH, locales) !== null);
      const quick = isEnglish && options === undefined ? comparePlainTexts(one, that) : undefined;
      if (quick !== undefined) return quick;
      return formatters.ask(
        formatters.specOf("Collator", locales, options),
        "compare",
        `${quoted(one)},${quoted(that)}`,
      ) as number;
    },
    letterCase(self, isUpper, locales) {
      const text = textOfThis(self, isUpper ? "toLocaleUpperCase" : "toLocaleLowerCase");
      const tags = tagsOf(locales);
      if (tags.length === 0 || execute(PLAIN_LETTER_CASE, tags[0] as string) !== null) {
        return isUpper ? toUpperCase(text) : toLowerCase(text);
      }
      return ask(`{"ask":"case","text":${quoted(text)},"locales":${quotedList(tags)},"isUpper":${isUpper}}`) as string;
    },
  };
}

function textOfThis(self: unknown, method: string): string {
  if (self !== undefined && self !== null) return toText(self);
  throw new TypeErrorConstructor(`String.prototype.${method} called on null or undefined`);
}
