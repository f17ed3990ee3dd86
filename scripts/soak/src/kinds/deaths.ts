import type { Death } from "../mark.js";
import { check, checkCalls, ended, failed } from "./check.js";
import type { CellKind } from "./kind.js";

const LOST = "WorkerError: the worker thread ended before the cell did.";

/** Cells whose thread ends itself in the middle of them, as a crash does. */
const DYING: readonly { death: Death; name: string; weight: number; calls: readonly string[] }[] = [
  { death: "evaluate", name: "its thread dies while it starts", weight: 4, calls: [] },
  { death: "deliver", name: "its thread dies between calls", weight: 4, calls: ["note 1"] },
  { death: "park", name: "its thread dies while it parks", weight: 4, calls: ["note 1", "note 2"] },
];

const dyingKinds = DYING.map(({ death, name, weight, calls }): CellKind => {
  return {
    name,
    weight,
    endings: ["failed runtime_unavailable"],
    async play(stage) {
      const code =
        "await note({ cell, n: 1 }); await note({ cell, n: 2 }); await yield_control(); await note({ cell, n: 3 });";
      const result = failed(await stage.exec(code, { death }), LOST);
      checkCalls(stage, ...calls);
      return ended(result, "failed runtime_unavailable");
    },
  };
});

const killed: CellKind = {
  name: "its thread is killed during a tool",
  weight: 6,
  endings: ["failed runtime_unavailable"],
  async play(stage) {
    const code = "await Promise.all([die({ cell, n: 1 }), note({ cell, n: 2 })]); await note({ cell, n: 3 });";
    const result = failed(await stage.exec(code, { death: "tool" }), LOST);
    checkCalls(stage, "die 1", "note 2");
    check("ledger", result.calls, [
      { name: "die", status: "unknown" },
      { name: "note", status: "completed" },
    ]);
    return ended(result, "failed runtime_unavailable");
  },
};

export const DEATH_KINDS: readonly CellKind[] = [...dyingKinds, killed];
