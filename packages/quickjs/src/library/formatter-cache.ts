import { openFormatter, type Formatter } from "./intl-formatters.js";

/** Formatters a worker keeps; one takes tens of kilobytes. */
const MAX_FORMATTERS = 32;

/** Formatters by their spec, least recently used first out. They hold nothing of a cell's. */
export function createFormatterCache(open: (spec: string) => Formatter = openFormatter): (spec: string) => Formatter {
  const known = new Map<string, Formatter>();
  return (spec) => {
    const formatter = known.get(spec) ?? open(spec);
    known.delete(spec);
    known.set(spec, formatter);
    if (known.size > MAX_FORMATTERS) known.delete(known.keys().next().value as string);
    return formatter;
  };
}
