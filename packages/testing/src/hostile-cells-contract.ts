import { describe, expect, test } from "vitest";
import {
  ENDLESS_CELLS,
  GREEDY_CELLS,
  NATIVE_RECURSIVE_CELLS,
  RECURSIVE_CELLS,
  SHORT_BUDGET_MS,
  SMALL_MEMORY_BYTES,
} from "./hostile-cells/endings.js";
import { ESCAPES } from "./hostile-cells/escapes.js";
import { FORGERIES } from "./hostile-cells/forgeries.js";
import type { HostileOutcome } from "./hostile-cells/hostile-cell.js";
import { HOSTILE_VALUES } from "./hostile-cells/hostile-values.js";

/** Runs a program, with `HOSTILE_SURFACE` and the answers of `answerHostile`, to its end. */
export type RunHostileCell = (source: string, options: HostileRunOptions) => Promise<HostileOutcome>;

export interface HostileRunOptions {
  /** Budget of each step, in ms. Ample unless given. */
  readonly budgetMs?: number;
  /** Default 64 MiB. */
  readonly memoryLimitBytes?: number;
}

/** The attacks that every way to run a cell withstands: ways out, forgeries, and values that fight back. */
export function describeHostileCells(name: string, run: RunHostileCell): void {
  describe(`${name}: hostile cells`, () => {
    test.each(ESCAPES)("SEC-01: no way out: $name", async ({ source, expected }) => {
      expect(await run(source, {})).toEqual(expected);
    });

    test.each(FORGERIES)("ERR-04: nothing is forged: $name", async ({ source, expected }) => {
      expect(await run(source, {})).toEqual(expected);
    });

    test.each(HOSTILE_VALUES)("ERR-04: a value that fights back: $name", async ({ source, expected }) => {
      expect(await run(source, {})).toEqual(expected);
    });
  });
}

/**
 * Cells that do not end by themselves, on whatever VM `run` gives them. `hasThreadStack`: they run with the native stack of
 * a worker thread, 8 MiB, which recursion inside the engine's own code needs.
 */
export function describeHostileEndings(name: string, run: RunHostileCell, { hasThreadStack = false } = {}): void {
  describe(`${name}: cells without end`, () => {
    test.each(ENDLESS_CELLS)("LIM-01: no end: $name", async ({ source, expected }) => {
      expect(await run(source, { budgetMs: SHORT_BUDGET_MS })).toEqual(expected);
    });

    const recursive = hasThreadStack ? [...RECURSIVE_CELLS, ...NATIVE_RECURSIVE_CELLS] : RECURSIVE_CELLS;
    test.each(recursive)("LIM-01: recursion $name", async ({ source, expected }) => {
      expect(await run(source, {})).toEqual(expected);
    });

    test.each(GREEDY_CELLS)("LIM-03: exhausted memory $name", async ({ source, expected }) => {
      expect(await run(source, { memoryLimitBytes: SMALL_MEMORY_BYTES })).toEqual(expected);
    });
  });
}
