import { isDeepStrictEqual } from "node:util";

/** Collects what the demo expects of itself; a mismatch is printed at once and fails the run at the end. */
export interface Checks {
  equal(what: string, actual: unknown, expected: unknown): void;
  isTrue(what: string, holds: boolean): void;
  failures(): number;
  passed(): number;
}

export function createChecks(report: (line: string) => void): Checks {
  let failed = 0;
  let passed = 0;
  function note(what: string, holds: boolean, detail: string): void {
    if (holds) passed += 1;
    else {
      failed += 1;
      report(`MISMATCH ${what}${detail}`);
    }
  }
  return {
    equal(what, actual, expected) {
      const detail = `: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`;
      note(what, isDeepStrictEqual(actual, expected), detail);
    },
    isTrue: (what, holds) => note(what, holds, ""),
    failures: () => failed,
    passed: () => passed,
  };
}
