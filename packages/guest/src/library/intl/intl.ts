import type { Ask } from "../../library-services.js";
import { quoted, quotedList } from "../json-fields.js";
import { addMethods, defineTag } from "../name-class.js";
import { defineMethod, toText } from "../../library-primordials.js";
import { createFormatters, type Kind } from "./formatters.js";
import { createIntlClasses } from "./intl-classes.js";
import { createLocaleClass } from "./locale.js";
import { createLocaleMethods, type LocaleMethods } from "./locale-methods.js";
import { localeTags } from "./locale-tags.js";

const KINDS: readonly Kind[] = [
  "Collator",
  "DateTimeFormat",
  "DisplayNames",
  "ListFormat",
  "NumberFormat",
  "PluralRules",
  "RelativeTimeFormat",
  "Segmenter",
];

/** The global `Intl`, and the methods of built-in prototypes that need it. The worker's own Intl does the work. */
export function createIntl(ask: Ask): { readonly Intl: object; readonly methods: LocaleMethods } {
  const { Locale, tagOf } = createLocaleClass(ask);
  const tagsOf = (locales: unknown): string[] => localeTags(locales, tagOf);
  const formatters = createFormatters(ask, tagsOf);
  const classes = createIntlClasses(formatters);

  const Intl = {};
  for (let index = 0; index < KINDS.length; index++) {
    const kind = KINDS[index] as Kind;
    defineMethod(Intl, kind, classes[kind]);
  }
  defineMethod(Intl, "Locale", Locale);
  addMethods(Intl, {
    getCanonicalLocales: (locales?: unknown) => ask(`{"ask":"canonical","locales":${quotedList(tagsOf(locales))}}`),
    supportedValuesOf: (key?: unknown) => ask(`{"ask":"values","key":${quoted(toText(key))}}`),
  });
  defineTag(Intl, "Intl");
  return { Intl, methods: createLocaleMethods(ask, formatters, tagsOf) };
}
