import { readOwn } from "./schema-node.js";

const MAX_COUNTED = 2_000_000;

/** How large a JSON value is: values of any kind in it, and UTF-16 units of its strings. Stops at 2,000,000 values. */
export function valueSize(value: unknown): { readonly values: number; readonly chars: number } {
  const stack: unknown[] = [value];
  let values = 0;
  let chars = 0;
  while (stack.length > 0 && values < MAX_COUNTED) {
    const current = stack.pop();
    values += 1;
    if (typeof current === "string") chars += current.length;
    else if (Array.isArray(current)) for (const item of current) stack.push(item);
    else if (typeof current === "object" && current !== null) {
      for (const key of Object.keys(current)) stack.push(readOwn(current, key));
    }
  }
  return { values, chars };
}
