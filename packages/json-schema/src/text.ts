/** Whether the name may stand unquoted as a property key, and as an ASCII identifier. */
function isPlainName(name: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name);
}

/** A property key as it must stand in a type. */
export function propertyKey(name: string): string {
  return isPlainName(name) ? name : quote(name);
}

/** A string literal on one line, whatever the text holds. */
export function quote(text: string): string {
  return JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** The first `maxChars` UTF-16 units, ending with an ellipsis when cut, never inside a character. */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = Math.max(0, maxChars - 1);
  const cutsPair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return `${text.slice(0, cutsPair ? end - 1 : end)}…`;
}
