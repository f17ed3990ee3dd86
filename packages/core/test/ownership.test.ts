import { afterEach, beforeEach, expect, test } from "vitest";
import { createRealHost, type RealHost } from "./fakes/real-host.js";
import { deferred, tool } from "./fakes/test-host.js";

let real: RealHost;
beforeEach(async () => {
  real = await createRealHost();
});
afterEach(() => real.host.close());

test("OWN-01, OWN-05: cancelling a call ends a cell that never lets go; the next cell works", async () => {
  const run = real.openRun();
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 200);
  expect(await run.exec({ code: "while (true) {}" }, { signal: controller.signal })).toMatchObject({
    status: "failed",
    error: "code mode cell was aborted: the call was cancelled",
    code: "aborted",
    failurePhase: "host",
  });
  expect(await run.exec({ code: "return 1" })).toMatchObject({ status: "completed", value: 1 });
});

test("LIM-01: an endless loop ends as timeout within deadline and grace, and the host stays responsive", async () => {
  const run = real.openRun({}, { timeoutMs: 500 });
  let ticks = 0;
  const ticker = setInterval(() => ticks++, 5);
  const startedAt = performance.now();
  expect(await run.exec({ code: "while (true) {}" })).toMatchObject({ status: "failed", code: "timeout" });
  clearInterval(ticker);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(ticks).toBeGreaterThan(20);
});

test("OWN-02: a late result of work that ignores cancellation reaches neither guest nor another tool", async () => {
  const gate = deferred<string>();
  const started = deferred();
  const calls: string[] = [];
  const run = real.openRun({
    tools: [
      tool("stubborn", () => {
        started.resolve(null);
        return gate.promise;
      }),
      tool("next", () => calls.push("next")),
    ],
  });
  const exec = run.exec({ code: "await stubborn({}); await next({});" });
  await started.promise;
  await run.close("the turn is over");
  expect(await exec).toMatchObject({
    status: "failed",
    code: "aborted",
    calls: [{ name: "stubborn", status: "unknown" }],
  });
  gate.resolve("late");
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(calls).toEqual([]);
});

test("OWN-06: closing the host ends a running cell and a parked one", async () => {
  const run = real.openRun({}, { timeoutMs: 5_000 });
  const { runId } = (await run.exec({ code: "await yield_control(); return 1" })) as { runId: string };
  const busy = run.exec({ code: "while (true) {}" });
  await real.host.close();
  expect(await busy).toMatchObject({ status: "failed", code: "aborted" });
  await expect(run.wait({ runId })).rejects.toMatchObject({ code: "closed" });
});
