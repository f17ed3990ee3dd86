/** Whether the name may stand unquoted as a property key, and as an ASCII identifier. */
function isPlainName(name: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name);
}

/** A property key as it must stand in a type. */
export function propertyKey(name: string): string {
  return isPlainName(name) ? name : quote(name);
}

/** Characters without a picture: controls, direction marks, invisible spaces, halves of a pair. */
export const INVISIBLE =
  /[\u0000-\u0008\u000E-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\p{Surrogate}]/gu;

/** A string literal on one line, whatever the text holds; characters without a picture are escaped. */
export function quote(text: string): string {
  return JSON.stringify(text)
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029")
    .replace(INVISIBLE, escaped);
}

/** All of `INVISIBLE` are single UTF-16 units. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The first `maxChars` UTF-16 units, ending with an ellipsis when cut, never inside a character. */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = Math.max(0, maxChars - 1);
  const cutsPair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return `${text.slice(0, cutsPair ? end - 1 : end)}…`;
}
