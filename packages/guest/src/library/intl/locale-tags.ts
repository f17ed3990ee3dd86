import { RangeErrorConstructor, TypeErrorConstructor, append, bareList, toText } from "../../library-primordials.js";

const MAX_TAGS = 100;
const INCORRECT = "Incorrect locale information provided";

/** Reads a `locales` argument: a tag, an `Intl.Locale`, an array of them, or nothing. The host checks the tags. */
export function localeTags(locales: unknown, tagOfLocale: (value: object) => string | undefined): string[] {
  const tags = bareList<string>();
  if (locales === undefined) return tags;
  if (typeof locales === "string") {
    append(tags, locales);
    return tags;
  }
  if (locales === null) throw new TypeErrorConstructor(INCORRECT);
  if (typeof locales !== "object") return tags;
  const single = tagOfLocale(locales);
  if (single !== undefined) {
    append(tags, single);
    return tags;
  }
  const { length } = locales as { readonly length?: unknown };
  if (typeof length === "number" && length > MAX_TAGS) {
    throw new RangeErrorConstructor(`${length} locales are too many here: at most ${MAX_TAGS}.`);
  }
  for (let index = 0; index < ((length as number | undefined) ?? 0); index++) {
    if (!(index in locales)) continue;
    const item = (locales as Record<number, unknown>)[index];
    if (typeof item === "string") append(tags, item);
    else if (typeof item === "object" && item !== null) append(tags, tagOfLocale(item) ?? toText(item));
    else throw new TypeErrorConstructor(INCORRECT);
  }
  return tags;
}
