import { GENERIC_WORDS, STOP_WORDS } from "./common-words.js";

const STOPPED: ReadonlySet<string> = new Set(STOP_WORDS);
const GENERIC: ReadonlySet<string> = new Set(GENERIC_WORDS.map(stem));
const MAX_TEXT_CHARS = 4_000;
const MAX_WORD_CHARS = 48;

/**
 * The meaningful words of a text, in order, stemmed. Names in camelCase and snake_case come apart; scripts without
 * spaces give pairs of characters. Reads the first 4,000 characters.
 */
export function wordsOf(text: string): string[] {
  const kept = text.slice(0, MAX_TEXT_CHARS);
  const spaced = kept
    .normalize("NFKC")
    // One character can stand for 18: what it gives is bounded by what was there.
    .slice(0, 2 * kept.length)
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase();
  const words: string[] = [];
  for (const [word] of spaced.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word))
      words.push(...pairs(word));
    else if (!STOPPED.has(word)) words.push(stem(word.slice(0, MAX_WORD_CHARS)));
  }
  return words;
}

function pairs(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, position) => `${characters[position] ?? ""}${character}`);
}

/** Whether a word, as `wordsOf` gives it, is one that many tools share. */
export function isGenericWord(word: string): boolean {
  return GENERIC.has(word);
}

/** English endings off, so that "shipments", "shipment" and "shipping" meet. Not a word of the language any more. */
export function stem(word: string): string {
  if (word.length <= 3 || /\p{N}/u.test(word)) return word;
  let root = word.replace(/ies$/, "y").replace(/(ss|sh|ch|x|z)es$/, "$1");
  root = root.replace(/([^su])s$/, "$1");
  root = root.replace(/at(?:ed?|ing|ions?|ors?|ives?)$/, "at");
  root = withoutVerbEnding(root);
  root = root.replace(/(?<=.{3})(?:ions?|ments?|ness|ers?|ors?|ly|al)$/, "");
  return root.length > 3 ? root.replace(/[ey]$/, "") : root;
}

function withoutVerbEnding(word: string): string {
  const root = word.replace(/(?<=[aeiouy].*.)(?:ing|ed)$/, "");
  if (root === word || root.length < 3) return word;
  return root.replace(/([^aeioulsz])\1$/, "$1").replace(/(?<=.{3})ll$/, "l");
}
