/** At most `maxChars` UTF-16 units of a text; a cut one ends with "…" and splits no character. */
export function shortText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  if (maxChars < 1) return "";
  const end = maxChars - 1;
  const splitsPair = end > 0 && (text.codePointAt(end - 1) ?? 0) > 0xffff;
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}
