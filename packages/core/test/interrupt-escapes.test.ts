import { ESCAPE_PROGRAMS } from "@codemode/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { CodeModeResult } from "@codemode/protocol";
import type { CodeModeRun } from "../src/options.js";
import { createRealHost, type RealHost } from "./fakes/real-host.js";

/** Far more than deadline and grace, for machines that are busy; a program left alone goes on for many seconds or for ever. */
const AMPLE_MS = 5_000;

let real: RealHost;
beforeAll(async () => {
  real = await createRealHost({ maxWorkers: 1 });
});
beforeEach(assertUsable);
afterEach(assertUsable);
afterAll(() => real.host.close());

/** A worker takes a cell; afterwards it is warm, so that the next cell's deadline is its own. */
async function assertUsable(): Promise<void> {
  expect(await real.openRun().exec({ code: "return 2" })).toMatchObject({ status: "completed", value: 2 });
}

function openHurriedRun(): CodeModeRun {
  return real.openRun({}, { timeoutMs: 300, watchdogGraceMs: 100 });
}

/** How a cell ended, while a timer of the host went on firing. */
async function ending(work: () => Promise<CodeModeResult>): Promise<object> {
  let ticks = 0;
  const ticker = setInterval(() => ticks++, 5);
  const startedAt = performance.now();
  const result = await work();
  const elapsedMs = performance.now() - startedAt;
  clearInterval(ticker);
  const outcome = result.status === "failed" ? { code: result.code, phase: result.failurePhase } : { result };
  return { ...outcome, isInTime: elapsedMs < AMPLE_MS, isHostResponsive: ticks > 10 };
}

const ENDED = { code: "timeout", phase: "guest", isInTime: true, isHostResponsive: true };

test.each(Object.entries(ESCAPE_PROGRAMS))("LIM-01, LIM-02: %s ends as timeout", async (_name, code) => {
  expect(await ending(() => openHurriedRun().exec({ code }))).toEqual(ENDED);
});

test.each(["while (true) {}", 'return new Array(1e9).join("x").length;'])(
  "LIM-01, LIM-02: so does one that was parked before: %s",
  async (code) => {
    const run = openHurriedRun();
    const parked = await run.exec({ code: `await yield_control(); ${code}` });
    if (parked.status !== "waiting") throw new Error(`expected a parked cell, got ${JSON.stringify(parked)}`);
    expect(await ending(() => run.wait({ runId: parked.runId }))).toEqual(ENDED);
  },
);
