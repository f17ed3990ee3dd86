const MAX_CHARS = 200;

/**
 * Short, one-line text of an untrusted value for an error message. Never throws, never runs `toString` or getters of
 * objects, at most 200 characters.
 */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return shorten(JSON.stringify(value));
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? "an array" : "an object";
    case "function":
      return "a function";
    case "symbol":
      return "a symbol";
    default:
      return shorten(String(value));
  }
}

function shorten(text: string): string {
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS - 1)}…`;
}
