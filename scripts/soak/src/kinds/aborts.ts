import { check, checkCalls, completed, ended, failed, numbered, waiting } from "./check.js";
import { WrongEnding, type CellKind } from "./kind.js";

const CANCELLED = "code mode cell was aborted: the call was cancelled";

const beforeStart: CellKind = {
  name: "aborted before it starts",
  weight: 12,
  endings: ["failed aborted"],
  async play(stage) {
    const result = failed(await stage.exec("return note({ cell, n: 1 });", { signal: AbortSignal.abort() }), CANCELLED);
    checkCalls(stage);
    return ended(result, "failed aborted");
  },
};

const queued: CellKind = {
  name: "aborted while it queues or starts",
  weight: 14,
  endings: ["failed aborted"],
  async play(stage) {
    const controller = new AbortController();
    const exec = stage.exec("return note({ cell, n: 1 });", { signal: controller.signal });
    controller.abort();
    const result = failed(await exec, CANCELLED);
    checkCalls(stage);
    return ended(result, "failed aborted");
  },
};

const anyMoment: CellKind = {
  name: "aborted at any moment",
  weight: 32,
  endings: ["failed aborted", "completed"],
  async play(stage) {
    const controller = new AbortController();
    const code = `
      for (let n = 1; n <= 8; n++) {
        await note({ cell, n });
        for (let turn = 0; turn < 30_000; turn++) Math.sqrt(turn);
        await slow({ cell, n, ms: 1 });
      }
      return "whole";`;
    const timer = setTimeout(() => controller.abort(), stage.random.whole(0, 250));
    const result = await stage.exec(code, { signal: controller.signal });
    clearTimeout(timer);
    const all = numbered("note", 8).flatMap((note, at) => [note, `slow ${at + 1}`]);
    check("calls in order", stage.calls.list(), all.slice(0, stage.calls.list().length));
    if (result.status === "completed") checkCalls(stage, ...all);
    else failed(result, CANCELLED);
    return ended(result, "failed aborted", "completed");
  },
};

const duringTools: CellKind = {
  name: "aborted while its tools run",
  weight: 15,
  endings: ["failed aborted"],
  async play(stage) {
    const controller = new AbortController();
    const code =
      "await Promise.all([gate({ cell, n: 1 }), stubborn({ cell, n: 2, ms: 30 })]); await note({ cell, n: 3 });";
    const exec = stage.exec(code, { signal: controller.signal });
    const signal = await Promise.race([stage.gate.entered, exec.then(() => undefined)]);
    await stage.sleep(1);
    controller.abort();
    const result = failed(await exec, CANCELLED);
    check("the abandoned call's signal", signal?.aborted, true);
    stage.gate.open();
    check("ledger", result.calls, [
      { name: "gate", status: "unknown" },
      { name: "stubborn", status: "unknown" },
    ]);
    await stage.sleep(30);
    checkCalls(stage, "gate 1", "stubborn 2");
    return ended(result, "failed aborted");
  },
};

const loop: CellKind = {
  name: "a loop, aborted",
  weight: 10,
  endings: ["failed aborted"],
  async play(stage) {
    const controller = new AbortController();
    const code = "await note({ cell, n: 1 }); for (;;) { try { for (;;); } finally { continue; } }";
    const timer = setTimeout(() => controller.abort(), stage.random.whole(10, 80));
    const result = failed(await stage.exec(code, { signal: controller.signal }), CANCELLED);
    clearTimeout(timer);
    if (stage.calls.list().length > 1) throw new WrongEnding("the call ran more than once");
    return ended(result, "failed aborted");
  },
};

const duringWait: CellKind = {
  name: "aborted during a wait",
  weight: 10,
  endings: ["failed aborted"],
  async play(stage) {
    const { run, sessionId } = stage.openRun();
    const code = "await Promise.all([gate({ cell, n: 1 }), yield_control()]); return note({ cell, n: 2 });";
    const first = new AbortController();
    const runId = waiting(await stage.exec(code, { run, signal: first.signal }), "yield");
    // The exec is over, so its signal has no power any more.
    first.abort();
    const second = new AbortController();
    const wait = stage.wait(runId, { run, signal: second.signal });
    const timer = setTimeout(() => second.abort(), stage.random.whole(0, 20));
    const result = failed(await wait, CANCELLED);
    clearTimeout(timer);
    check("the abandoned call's signal", (await stage.gate.entered).aborted, true);
    stage.gate.open();
    check("store entries of the run", await stage.store.list(sessionId), []);
    checkCalls(stage, "gate 1");
    return ended(result, "failed aborted");
  },
};

const sharedSignal: CellKind = {
  name: "a signal that aborts after its call",
  weight: 7,
  endings: ["completed"],
  async play(stage) {
    const controller = new AbortController();
    const { run } = stage.openRun();
    const options = { run, signal: controller.signal };
    const runId = waiting(await stage.exec("await yield_control(); return note({ cell, n: 1 });", options), "yield");
    controller.abort();
    check("value", completed(await stage.wait(runId, { run })).value, 1);
    checkCalls(stage, "note 1");
    return "completed";
  },
};

export const ABORT_KINDS: readonly CellKind[] = [
  beforeStart,
  queued,
  anyMoment,
  duringTools,
  loop,
  duringWait,
  sharedSignal,
];
