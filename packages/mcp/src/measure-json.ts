export interface JsonBounds {
  readonly maxDepth: number;
  readonly maxChars: number;
}

/** About the length of the JSON, in characters, or in what it goes beyond its bounds, as a clause. */
export type JsonSize = { readonly chars: number; readonly fault?: undefined } | { readonly fault: string };

/** What a value costs beside its strings: brackets, commas, a number. */
const CHARS_PER_VALUE = 4;

/** Measures parsed JSON without recursion, and no further than its bounds. */
export function measureJson(value: unknown, { maxDepth, maxChars }: JsonBounds): JsonSize {
  const stack: { readonly part: unknown; readonly depth: number }[] = [{ part: value, depth: 1 }];
  let chars = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { part, depth } = next;
    chars += CHARS_PER_VALUE + (typeof part === "string" ? part.length : 0);
    if (typeof part === "object" && part !== null) {
      if (depth > maxDepth) return { fault: `is nested more than ${maxDepth} levels deep` };
      const isList = Array.isArray(part);
      for (const [key, item] of Object.entries(part)) {
        if (!isList) chars += key.length;
        stack.push({ part: item, depth: depth + 1 });
      }
    }
    if (chars > maxChars) return { fault: `has more than ${maxChars} characters` };
  }
  return { chars };
}
