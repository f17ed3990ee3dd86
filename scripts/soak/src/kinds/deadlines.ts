import type { CodeModeRun } from "@codemode/core";
import type { CodeModeResult } from "@codemode/protocol";
import type { Stage } from "../stage.js";
import { checkCalls, ended, isTooLate } from "./check.js";
import type { CellKind } from "./kind.js";

/** Cells that would never end by themselves, each with the time it gets. */
const ENDLESS = [
  { name: "an endless loop", weight: 20, code: "for (;;) { try { for (;;); } finally { continue; } }" },
  {
    name: "a storm of microtasks",
    weight: 4,
    code: "const again = () => Promise.resolve().then(again); await again();",
  },
  { name: "a regular expression", weight: 4, code: 'return /^(a+)+$/.test("a".repeat(40) + "b");' },
  { name: "a getter of the value", weight: 4, code: "return { get value() { for (;;); } };" },
  // The engine does not interrupt it: the watchdog ends the thread.
  { name: "a native operation", weight: 5, code: 'return new Array(1e9).join("x").length;' },
] as const;

const endlessKinds = ENDLESS.map(({ name, weight, code }): CellKind => {
  return {
    name,
    weight,
    endings: ["failed timeout"],
    async play(stage) {
      const { run } = stage.openRun({ limits: { timeoutMs: 120, watchdogGraceMs: 60 } });
      return ended(await execInTime(stage, run, code), "failed timeout");
    },
  };
});

/** Again, as long as the cell does not even start in time. */
async function execInTime(stage: Stage, run: CodeModeRun, code: string): Promise<CodeModeResult> {
  for (;;) {
    const result = await stage.exec(code, { run });
    if (!isTooLate(result)) return result;
  }
}

const afterCalls: CellKind = {
  name: "a loop after calls",
  weight: 4,
  endings: ["failed timeout"],
  async play(stage) {
    const { run } = stage.openRun({ limits: { timeoutMs: 800, watchdogGraceMs: 60 } });
    const code = "await note({ cell, n: 1 }); await slow({ cell, n: 2, ms: 2 }); for (;;);";
    let result = await execInTime(stage, run, code);
    // A cell that came to its calls late is parked at its deadline's margin.
    while (result.status === "waiting") result = await stage.wait(result.runId, { run });
    checkCalls(stage, "note 1", "slow 2");
    return ended(result, "failed timeout");
  },
};

export const DEADLINE_KINDS: readonly CellKind[] = [...endlessKinds, afterCalls];
