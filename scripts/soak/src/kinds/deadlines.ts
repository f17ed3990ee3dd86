import { checkCalls, ended } from "./check.js";
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
      return ended(await stage.exec(code, { run }), "failed timeout");
    },
  };
});

const afterCalls: CellKind = {
  name: "a loop after calls",
  weight: 4,
  endings: ["failed timeout"],
  async play(stage) {
    const { run } = stage.openRun({ limits: { timeoutMs: 800, watchdogGraceMs: 60 } });
    let result = await stage.exec("await note({ cell, n: 1 }); await slow({ cell, n: 2, ms: 2 }); for (;;);", { run });
    // A cell that came to its calls late is parked at its deadline's margin.
    while (result.status === "waiting") result = await stage.wait(result.runId, { run });
    if (stage.calls.list().length > 0) checkCalls(stage, "note 1", "slow 2");
    return ended(result, "failed timeout");
  },
};

export const DEADLINE_KINDS: readonly CellKind[] = [...endlessKinds, afterCalls];
