import { MapConstructor, elapsedMs, mapDelete, mapGet, mapSet, sliceText } from "../library-primordials.js";
import type { LibraryServices } from "../library-services.js";
import { createLineFormat } from "./console-format.js";
import { tableText } from "./console-table.js";

const INDENT = "  ";

/** The global `console`: what any of its methods says is one item of text output. No getter of a value runs. */
export function createConsole(services: LibraryServices): object {
  const format = createLineFormat(services);
  const counts = new MapConstructor<string, number>();
  const starts = new MapConstructor<string, number>();
  let indent = "";

  const write = (line: string): void => services.writeLine(indent + line);
  const labelOf = (label: unknown): string => (label === undefined ? "default" : format.value(label));

  function writeTime(label: unknown, values: readonly unknown[]): void {
    const name = labelOf(label);
    const start = mapGet(starts, name);
    if (start === undefined) return write(`Timer ${name} does not exist`);
    write(`${name}: ${elapsedMs() - start} ms${values.length === 0 ? "" : ` ${format.line(values)}`}`);
  }

  function openGroup(values: readonly unknown[]): void {
    if (values.length > 0) write(format.line(values));
    indent += INDENT;
  }

  return {
    log: (...values: unknown[]) => write(format.line(values)),
    info: (...values: unknown[]) => write(format.line(values)),
    warn: (...values: unknown[]) => write(format.line(values)),
    error: (...values: unknown[]) => write(format.line(values)),
    debug: (...values: unknown[]) => write(format.line(values)),
    dir: (value?: unknown) => write(format.value(value)),
    table: (value?: unknown) => write(tableText(value, services.inertText) ?? format.value(value)),
    trace: (...values: unknown[]) => write(values.length === 0 ? "Trace" : `Trace: ${format.line(values)}`),
    assert(condition?: unknown, ...values: unknown[]) {
      if (!condition) write(values.length === 0 ? "Assertion failed" : `Assertion failed: ${format.line(values)}`);
    },
    count(label?: unknown) {
      const name = labelOf(label);
      const count = (mapGet(counts, name) ?? 0) + 1;
      mapSet(counts, name, count);
      write(`${name}: ${count}`);
    },
    countReset: (label?: unknown) => void mapDelete(counts, labelOf(label)),
    time: (label?: unknown) => void mapSet(starts, labelOf(label), elapsedMs()),
    timeLog: (label?: unknown, ...values: unknown[]) => writeTime(label, values),
    timeEnd(label?: unknown) {
      writeTime(label, []);
      mapDelete(starts, labelOf(label));
    },
    group: (...values: unknown[]) => openGroup(values),
    groupCollapsed: (...values: unknown[]) => openGroup(values),
    groupEnd() {
      indent = sliceText(indent, INDENT.length, indent.length);
    },
  };
}
