import { stemmer } from "stemmer";
import { GENERIC_WORDS, STOP_WORDS } from "./common-words.js";

const STOPPED: ReadonlySet<string> = new Set(STOP_WORDS);
const MAX_PART_CHARS = 48;
/** Shorter words are stems already. */
const MIN_STEMMED_CHARS = 4;
const GENERIC: ReadonlySet<string> = new Set(GENERIC_WORDS.map(stem));

/** A run of letters and digits with an English ending such as `'s`; or what a hyphen makes one word, such as `e-mail`. */
const TOKEN = /(?<![\p{L}\p{N}])\p{L}{1,2}-\p{L}{2,}|[\p{L}\p{N}]+(?:['’]\p{L}{1,2}(?![\p{L}\p{N}]))?/gu;
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The pieces of a text that `partsOf` takes apart; what they hold is bounded by the length of the text. */
export function tokensOf(text: string): readonly string[] {
  return (isAscii(text) ? text : normalized(text)).match(TOKEN) ?? [];
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7F]/.test(text);
}

/** One character can stand for 18: what it gives is bounded by what was there. */
function normalized(text: string): string {
  return text.normalize("NFKC").slice(0, 2 * text.length);
}

/**
 * A token in small letters, as it was written. Names in camelCase come apart; scripts without spaces give pairs of
 * characters; a hyphenated word is given whole and by its second part.
 */
export function partsOf(token: string): readonly string[] {
  const hyphen = token.indexOf("-");
  if (hyphen > 0) return [token.replace("-", ""), token.slice(hyphen + 1)].map(asPart);
  const plain = withoutEnding(token);
  if (SPACELESS.test(plain)) return pairs(plain);
  return plain
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(" ")
    .map(asPart);
}

function asPart(text: string): string {
  return text.toLowerCase().slice(0, MAX_PART_CHARS);
}

/** `don't` is one word; other endings, such as `'s`, go. */
function withoutEnding(token: string): string {
  const apostrophe = token.search(/['’]/);
  if (apostrophe < 0) return token;
  const [word, ending] = [token.slice(0, apostrophe), token.slice(apostrophe + 1)];
  return /^t$/i.test(ending) ? word + ending : word;
}

function pairs(token: string): string[] {
  const characters = Array.from(token);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, position) => `${characters[position] ?? ""}${character}`);
}

/** What a part means to a search: its stem; undefined for a stop word. */
export function wordOf(part: string): string | undefined {
  return STOPPED.has(part) ? undefined : stem(part);
}

/** Whether a word, as `wordOf` gives it, is one that many tools share. */
export function isGenericWord(word: string): boolean {
  return GENERIC.has(word);
}

/** English endings off (Porter), so that "shipments" and "shipment" meet. Not a word of the language any more. */
export function stem(part: string): string {
  return part.length < MIN_STEMMED_CHARS || /\P{L}/u.test(part) ? part : stemmer(part);
}
