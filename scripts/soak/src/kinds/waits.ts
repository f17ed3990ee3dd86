import { check, checkCalls, completed, ended, failed, isTooLate, numbered, waiting } from "./check.js";
import { WrongEnding, type CellKind } from "./kind.js";

const yields: CellKind = {
  name: "yields",
  weight: 60,
  endings: ["completed"],
  async play(stage) {
    const turns = stage.random.whole(1, 4);
    const code = `
      const kept = new Map();
      for (let n = 1; n <= ${turns}; n++) { kept.set(n, await note({ cell, n })); await yield_control(); }
      return [...kept.values()];`;
    const { run, sessionId } = stage.openRun();
    let result = await stage.exec(code, { run });
    for (let turn = 0; turn < turns; turn++) result = await stage.wait(waiting(result, "yield"), { run });
    check(
      "value",
      completed(result).value,
      Array.from({ length: turns }, (_, at) => at + 1),
    );
    check("calls in order", stage.calls.list(), numbered("note", turns));
    check("store entries of the run", await stage.store.list(sessionId), []);
    return "completed";
  },
};

const slow: CellKind = {
  name: "slow tools, more cells than threads",
  weight: 80,
  endings: ["completed"],
  async play(stage) {
    const calls = stage.random.whole(1, 3);
    const ms = stage.random.whole(10, 60);
    const code = `
      const kept = [];
      for (let n = 1; n <= ${calls}; n++) kept.push(await slow({ cell, n, ms: ${ms} }));
      return kept;`;
    check(
      "value",
      completed(await stage.exec(code)).value,
      Array.from({ length: calls }, (_, at) => at + 1),
    );
    check("calls in order", stage.calls.list(), numbered("slow", calls));
    return "completed";
  },
};

const deadline: CellKind = {
  name: "a tool slower than the deadline",
  weight: 12,
  endings: ["completed"],
  async play(stage) {
    const { run } = stage.openRun({ limits: { timeoutMs: 3_000 } });
    const code = "const first = await note({ cell, n: 1 }); return first + (await gate({ cell, n: 2 }));";
    let result = await stage.exec(code, { run });
    // On a busy machine it may not even have started in time; then nothing has run.
    while (isTooLate(result)) result = await stage.exec(code, { run });
    waiting(result, "pending_tools");
    setTimeout(stage.gate.open, stage.random.whole(0, 20));
    // Nor resumed within one wait.
    while (result.status === "waiting") result = await stage.wait(result.runId, { run });
    check("value", completed(result).value, 3);
    checkCalls(stage, "note 1", "gate 2");
    return "completed";
  },
};

const YIELD_ONCE = "const n = await note({ cell, n: 1 }); await yield_control(); return n;";

const twoWaits: CellKind = {
  name: "two waits at once",
  weight: 8,
  endings: ["completed"],
  async play(stage) {
    const { run } = stage.openRun();
    const runId = waiting(await stage.exec(YIELD_ONCE, { run }), "yield");
    const results = await Promise.all([stage.wait(runId, { run }), stage.wait(runId, { run })]);
    const [first, second] = results;
    check("value", completed(first).value, 1);
    failed(second, "code mode run is already being resumed.");
    checkCalls(stage, "note 1");
    return "completed";
  },
};

const unknownRun: CellKind = {
  name: "a wait for a run that is over",
  weight: 8,
  endings: ["failed invalid_input"],
  async play(stage) {
    const { run } = stage.openRun();
    const runId = waiting(await stage.exec(YIELD_ONCE, { run }), "yield");
    completed(await stage.wait(runId, { run }));
    const again = await stage.wait(runId, { run });
    failed(again, "code mode run is unavailable or expired.");
    return ended(again, "failed invalid_input");
  },
};

const expires: CellKind = {
  name: "a parked cell that expires",
  weight: 8,
  endings: ["failed invalid_input"],
  async play(stage) {
    const { run, sessionId } = stage.openRun({ limits: { snapshotTtlSeconds: 1 } });
    const code = "await note({ cell, n: 1 }); await Promise.all([gate({ cell, n: 2 }), yield_control()]);";
    const runId = waiting(await stage.exec(code, { run }), "yield");
    const signal = await stage.gate.entered;
    await stage.sleep(1_100);
    check("the abandoned call's signal", signal.aborted, true);
    check("store entries of the run", await stage.store.list(sessionId), []);
    stage.gate.open();
    const result = await stage.wait(runId, { run });
    failed(result, "code mode run is unavailable or expired.");
    checkCalls(stage, "note 1", "gate 2");
    return ended(result, "failed invalid_input");
  },
};

const tooLargeToPark: CellKind = {
  name: "a cell too large to park",
  weight: 6,
  endings: ["failed snapshot_limit_exceeded"],
  async play(stage) {
    const { run } = stage.openRun({ limits: { maxSnapshotBytes: 1_024 } });
    const result = await stage.exec("await Promise.all([gate({ cell, n: 1 }), yield_control()]);", { run });
    const signal = await stage.gate.entered;
    check("the abandoned call's signal", signal.aborted, true);
    stage.gate.open();
    check("ledger", failed(result).calls, [{ name: "gate", status: "unknown" }]);
    if (stage.calls.list().length !== 1) throw new WrongEnding("the call ran more than once");
    return ended(result, "failed snapshot_limit_exceeded");
  },
};

export const WAIT_KINDS: readonly CellKind[] = [yields, slow, deadline, twoWaits, unknownRun, expires, tooLargeToPark];
