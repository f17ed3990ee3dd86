import type { CodeModeRun } from "@codemode/core";
import { CodeModeError } from "@codemode/protocol";
import type { Stage } from "../stage.js";
import { check, checkCalls, ended, failed, waiting } from "./check.js";
import { WrongEnding, type CellKind } from "./kind.js";

const PARKS = "await Promise.all([gate({ cell, n: 1 }), yield_control()]); return note({ cell, n: 2 });";

/** Parks a cell whose call goes on. */
async function park(stage: Stage, run: CodeModeRun): Promise<{ runId: string; signal: AbortSignal }> {
  const runId = waiting(await stage.exec(PARKS, { run }), "yield");
  return { runId, signal: await stage.gate.entered };
}

/** Checks that nothing of a parked cell is left and that its late result reaches nobody. */
async function checkGone(
  stage: Stage,
  { sessionId, signal }: { sessionId: string; signal: AbortSignal },
): Promise<void> {
  check("the abandoned call's signal", signal.aborted, true);
  check("store entries of the run", await stage.store.list(sessionId), []);
  stage.gate.open();
  await stage.sleep(5);
  checkCalls(stage, "gate 1");
}

/** @throws {WrongEnding} unless the run says that it is closed. */
async function checkClosed(stage: Stage, run: CodeModeRun, runId: string): Promise<void> {
  const outcome = await stage.settled(
    "a wait on a closed run",
    run.wait({ runId }).catch((error: unknown) => error),
  );
  if (!CodeModeError.isInstance(outcome) || outcome.code !== "closed")
    throw new WrongEnding("a closed run took a wait");
}

const whileParked: CellKind = {
  name: "its run is closed while it is parked",
  weight: 8,
  endings: ["closed"],
  async play(stage) {
    const { run, sessionId } = stage.openRun();
    const { runId, signal } = await park(stage, run);
    await stage.settled("closing a run", run.close("the turn is over"));
    await checkGone(stage, { sessionId, signal });
    await checkClosed(stage, run, runId);
    return "closed";
  },
};

const runAborted: CellKind = {
  name: "its run is aborted while it is parked",
  weight: 8,
  endings: ["closed"],
  async play(stage) {
    const controller = new AbortController();
    const { run, sessionId } = stage.openRun({ signal: controller.signal });
    const { runId, signal } = await park(stage, run);
    controller.abort();
    await stage.settled("closing a run", run.close());
    await checkGone(stage, { sessionId, signal });
    await checkClosed(stage, run, runId);
    return "closed";
  },
};

const sessionClosed: CellKind = {
  name: "its session is closed while it is parked",
  weight: 6,
  endings: ["failed invalid_input"],
  async play(stage) {
    const { run, sessionId } = stage.openRun();
    const { runId, signal } = await park(stage, run);
    await stage.settled("closing a session", stage.host.closeSession(sessionId));
    await checkGone(stage, { sessionId, signal });
    const result = failed(await stage.wait(runId, { run }), "code mode run is unavailable or expired.");
    return ended(result, "failed invalid_input");
  },
};

const whileRunning: CellKind = {
  name: "its run is closed while it runs",
  weight: 8,
  endings: ["failed aborted"],
  async play(stage) {
    const { run } = stage.openRun();
    const code = stage.random.pick([
      "for (;;);",
      "await gate({ cell, n: 1 });",
      "for (let n = 1; ; n++) await slow({ cell, n, ms: 20 });",
    ]);
    const exec = stage.exec(code, { run });
    await stage.sleep(stage.random.whole(0, 60));
    await stage.settled("closing a run", run.close("the turn is over"));
    stage.gate.open();
    const result = failed(await exec, "code mode cell was aborted: the turn is over");
    return ended(result, "failed aborted");
  },
};

const duringResume: CellKind = {
  name: "its run is closed while it resumes",
  weight: 6,
  endings: ["failed aborted"],
  async play(stage) {
    const { run, sessionId } = stage.openRun();
    const runId = waiting(await stage.exec("await yield_control(); for (;;);", { run }), "yield");
    const wait = stage.wait(runId, { run });
    await stage.sleep(stage.random.whole(0, 40));
    await stage.settled("closing a run", run.close("the turn is over"));
    const result = failed(await wait, "code mode cell was aborted: the turn is over");
    check("store entries of the run", await stage.store.list(sessionId), []);
    return ended(result, "failed aborted");
  },
};

export const CLOSING_KINDS: readonly CellKind[] = [whileParked, runAborted, sessionClosed, whileRunning, duringResume];
