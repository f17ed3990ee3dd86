import { parseArgs } from "node:util";

export interface SoakArguments {
  readonly seed: number;
  readonly cells: number;
  /** Most worker threads; the available cores where it is absent. */
  readonly workers?: number;
  /** Kinds of cells to play, by name; all when there are none. */
  readonly kinds: readonly string[];
  /** Where the report goes as JSON. */
  readonly jsonFile?: string;
}

const FULL_CELLS = 10_000;
const QUICK_CELLS = 500;
const MAX_CELLS = 1_000_000;

/** `[--quick] [--cells N] [--seed N] [--workers N] [--json FILE] [KIND …]`. @throws {Error} for anything else, or a kind not in `known`. */
export function readArguments(args: readonly string[], known: readonly string[]): SoakArguments {
  const { values, positionals: kinds } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      cells: { type: "string" },
      seed: { type: "string" },
      workers: { type: "string" },
      json: { type: "string" },
    },
  });
  const unknown = kinds.find((kind) => !known.includes(kind));
  if (unknown !== undefined) throw new Error(`Unknown kind "${unknown}". Use some of: ${known.join(", ")}.`);
  const { quick, cells, seed = "1", workers, json } = values;
  return {
    seed: whole("--seed", seed, { min: 0, max: 2 ** 32 - 1 }),
    cells: whole("--cells", cells ?? String(quick ? QUICK_CELLS : FULL_CELLS), { min: 1, max: MAX_CELLS }),
    kinds,
    ...(workers === undefined ? {} : { workers: whole("--workers", workers, { min: 1, max: 64 }) }),
    ...(json === undefined ? {} : { jsonFile: json }),
  };
}

function whole(name: string, text: string, { min, max }: { readonly min: number; readonly max: number }): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new Error(`${name} must be a whole number from ${min} to ${max}, got ${JSON.stringify(text)}.`);
}
