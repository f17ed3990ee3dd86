import { cutUtf8, utf8Bytes } from "./byte-length.js";
import { createJsonScanner, type JsonScanner } from "./json-scanner.js";

/** How much of each level a sample shows. */
interface Detail {
  readonly maxDepth: number;
  readonly maxKeys: number;
  readonly maxTextBytes: number;
}

/** From the most to the least that is shown; the first whose sample fits is taken. */
const DETAILS: readonly Detail[] = [
  { maxDepth: 6, maxKeys: 20, maxTextBytes: 80 },
  { maxDepth: 4, maxKeys: 10, maxTextBytes: 40 },
  { maxDepth: 2, maxKeys: 6, maxTextBytes: 20 },
];

/** Longer texts are not sampled: lengths of arrays need the whole text read. */
const MAX_SCANNED_CHARS = 4 * 1024 * 1024;

/**
 * JSON text of a structural sample of a value that is too large to show: its keys, the first item and the length of its
 * arrays, the start of its texts, in at most `maxBytes`. Undefined for a text that is neither object nor array, is longer
 * than 4 Mi characters or is not compact JSON, and where no sample fits.
 */
export function sampleJson(text: string, maxBytes: number): string | undefined {
  if (text.length > MAX_SCANNED_CHARS || (text[0] !== "{" && text[0] !== "[")) return undefined;
  for (const detail of DETAILS) {
    const sample = trySample(text, detail);
    if (sample === undefined || utf8Bytes(sample) <= maxBytes) return sample;
  }
  return undefined;
}

function trySample(text: string, detail: Detail): string | undefined {
  try {
    return sampleOf(createJsonScanner(text), detail, detail.maxDepth);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Sample of the value that comes next. As deep in its own stack as the sample is. */
function sampleOf(scanner: JsonScanner, detail: Detail, depth: number): string {
  const first = scanner.peek();
  if (first === "{") return sampleOfObject(scanner, detail, depth);
  if (first === "[") return sampleOfArray(scanner, detail, depth);
  const value = JSON.parse(scanner.take()) as unknown;
  return JSON.stringify(typeof value === "string" ? shortened(value, detail) : value);
}

function sampleOfObject(scanner: JsonScanner, detail: Detail, depth: number): string {
  const members: string[] = [];
  let keys = 0;
  scanner.eachMember(() => {
    keys += 1;
    const key = scanner.take();
    if (depth === 0 || keys > detail.maxKeys) scanner.take();
    else {
      const shown = JSON.stringify(shortened(JSON.parse(key) as string, detail));
      members.push(`${shown}:${sampleOf(scanner, detail, depth - 1)}`);
    }
  });
  if (depth === 0) return JSON.stringify(`{… ${keys} keys}`);
  if (keys > members.length) members.push(`"…":"${keys - members.length} more keys"`);
  return `{${members.join(",")}}`;
}

function sampleOfArray(scanner: JsonScanner, detail: Detail, depth: number): string {
  let first = "";
  let length = 0;
  scanner.eachMember(() => {
    length += 1;
    if (length === 1 && depth > 0) first = sampleOf(scanner, detail, depth - 1);
    else scanner.take();
  });
  if (depth === 0) return JSON.stringify(`[… ${length} items]`);
  return length > 1 ? `[${first},"… ${length - 1} more items"]` : `[${first}]`;
}

function shortened(value: string, { maxTextBytes }: Detail): string {
  const start = cutUtf8(value, maxTextBytes);
  return start.length === value.length ? value : `${start}… (${value.length} characters)`;
}
