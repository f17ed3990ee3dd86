/**
 * Untrusted text on one line, fit for a message: control characters and runs of white space become one space, at most
 * `maxChars` UTF-16 units.
 */
export function oneLine(text: string, maxChars = 300): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1)}…`;
}
