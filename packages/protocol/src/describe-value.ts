const MAX_CHARS = 200;
const LARGE_BIGINT = 10n ** BigInt(MAX_CHARS);

/**
 * Short, one-line text of an untrusted value for an error message. Never throws, never runs `toString` or getters of
 * objects, at most 200 characters.
 */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return shorten(JSON.stringify(value.slice(0, MAX_CHARS)));
    case "object":
      if (value === null) return "null";
      return isArray(value) ? "an array" : "an object";
    case "function":
      return "a function";
    case "symbol":
      return "a symbol";
    case "bigint":
      return value < LARGE_BIGINT && value > -LARGE_BIGINT ? shorten(String(value)) : "a large bigint";
    default:
      return shorten(String(value));
  }
}

/** `Array.isArray` throws for a revoked proxy. */
function isArray(value: object): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

function shorten(text: string): string {
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS - 1)}…`;
}
