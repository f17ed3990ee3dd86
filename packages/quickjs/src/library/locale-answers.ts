import { localesField, malformed, optionsField, textField, wordField, type Fields } from "./library-request.js";

const LOCALE_PARTS = [
  ...(["baseName", "language", "script", "region", "calendar", "collation"] as const),
  ...(["hourCycle", "caseFirst", "numeric", "numberingSystem"] as const),
];

/** A language tag with its parts; `change` gives those of the longest or shortest tag that means the same. */
export function localeAnswer(fields: Fields): Record<string, unknown> {
  const locale = changed(new Intl.Locale(wordField(fields, "tag"), optionsField(fields)), fields["change"]);
  const parts = LOCALE_PARTS.map((part) => [part, locale[part]]);
  return { tag: locale.toString(), ...(Object.fromEntries(parts) as Record<string, unknown>) };
}

function changed(locale: Intl.Locale, change: unknown): Intl.Locale {
  switch (change) {
    case undefined:
      return locale;
    case "maximize":
      return locale.maximize();
    case "minimize":
      return locale.minimize();
    default:
      throw malformed("change");
  }
}

/** A text in capital or small letters, as the first locale writes them. */
export function letterCaseAnswer(fields: Fields): string {
  const [locale = "en-US"] = localesField(fields);
  const text = textField(fields, "text");
  return fields["isUpper"] === true ? text.toLocaleUpperCase(locale) : text.toLocaleLowerCase(locale);
}
