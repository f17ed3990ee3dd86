import { afterAll, beforeAll, expect, test } from "vitest";
import { createRealHost, type RealHost } from "./fakes/real-host.js";
import { tool } from "./fakes/test-host.js";

let real: RealHost;
beforeAll(async () => {
  real = await createRealHost({ maxWorkers: 1 });
});
afterAll(() => real.host.close());

test.each([
  "try { await stop({}) } catch { await after({}) } finally { await after({}) } return 1;",
  "await stop({}).then(() => after({}), () => after({})); return 1;",
  "stop({}); await new Promise((resolve) => setTimeout(resolve, 50)); await after({}); return 1;",
  "return await Promise.allSettled([stop({}), stop({})]).then(() => after({}));",
])("CALL-03: a terminal outcome ends the cell, whatever it would have done: %s", async (code) => {
  const called: string[] = [];
  const stop = { ...tool("stop", () => null), execute: () => ({ details: { why: "denied" }, terminal: true }) };
  const run = real.openRun({ tools: [stop, tool("after", () => called.push("after"))] });
  expect(await run.exec({ code })).toMatchObject({
    status: "failed",
    error: 'stop ended the cell: {"why":"denied"}',
    failurePhase: "bridge",
  });
  expect(called).toEqual([]);
  expect(await run.exec({ code: "return await after({})" })).toMatchObject({ status: "completed", value: 1 });
});
