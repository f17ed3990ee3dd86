import { parseArgs } from "node:util";

export interface BenchArguments {
  /** A tenth of the time: an impression, no figures to publish. */
  readonly isQuick: boolean;
  /** Where the report goes as JSON. */
  readonly jsonFile?: string;
  /** Ids of the works to measure; all when there are none. */
  readonly ids: readonly string[];
}

/** `[--quick] [--json FILE] [ID …]`. @throws {Error} for anything else, or an id not in `known`. */
export function readArguments(args: readonly string[], known: readonly string[]): BenchArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { quick: { type: "boolean", default: false }, json: { type: "string" } },
  });
  const unknown = positionals.find((id) => !known.includes(id));
  if (unknown !== undefined) throw new Error(`Unknown work "${unknown}". Use some of: ${known.join(", ")}.`);
  return { isQuick: values.quick, ids: positionals, ...(values.json === undefined ? {} : { jsonFile: values.json }) };
}
