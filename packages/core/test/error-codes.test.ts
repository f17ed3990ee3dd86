import { createMemorySnapshotStore } from "@codemode/snapshot-store";
import { createSupervisor } from "@codemode/supervisor";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CodeModeErrorCode, CodeModeFailedResult, CodeModeResult, FailurePhase } from "@codemode/protocol";
import { createCodeMode } from "../src/create-code-mode.js";
import { createRealHost, openRunOf, type RealHost } from "./fakes/real-host.js";
import { tool } from "./fakes/test-host.js";

let real: RealHost;
beforeAll(async () => {
  real = await createRealHost();
  await real.host.prewarm({ typescript: true });
}, 60_000);
afterAll(() => real.host.close());

function failed(result: CodeModeResult): Pick<CodeModeFailedResult, "code" | "failurePhase"> {
  if (result.status !== "failed") throw new Error(`It did not fail: ${JSON.stringify(result)}`);
  const { code, failurePhase } = result;
  return { ...(code !== undefined && { code }), failurePhase };
}

function as(code: CodeModeErrorCode, failurePhase: FailurePhase): object {
  return { code, failurePhase };
}

test.each<[string, unknown]>([
  ["no source", {}],
  ["a language that is none", { code: "1", language: "python" }],
  ["module access", { code: "import('fs')" }],
  ["source that does not parse", { code: "let let" }],
  ["TypeScript that does not parse", { code: "let a: = 1", language: "typescript" }],
  ["shell text", { code: "ls -la" }],
])("ERR-03: invalid_input is what cannot be run: %s", async (_, input) => {
  await using run = real.openRun();
  expect(failed(await run.exec(input as { code: string }))).toEqual(as("invalid_input", "input"));
});

test("ERR-03: invalid_input is a wait for a run that is not there", async () => {
  await using run = real.openRun();
  expect(failed(await run.wait({ runId: "cm_none" }))).toEqual(as("invalid_input", "input"));
});

test.each([
  ["a loop", "while (true) {}"],
  ["a loop that catches", "for (;;) { try { for (;;); } catch {} }"],
  ["a getter of the value", "return { get a() { for (;;); } }"],
  [
    "a getter of an error",
    "const e = new Error(''); Object.defineProperty(e, 'message', { get() { for (;;); } }); throw e;",
  ],
  ["a native operation", "return new Array(1e8).fill(0).sort(() => 0).length"],
  ["jobs without end", "const again = () => Promise.resolve().then(again); await again();"],
])("ERR-03: timeout is a deadline that passed, never internal_error: %s", async (_, code) => {
  await using run = real.openRun({}, { timeoutMs: 300, watchdogGraceMs: 100, memoryLimitBytes: 1 << 30 });
  expect(failed(await run.exec({ code }))).toEqual(as("timeout", "guest"));
});

test("ERR-03: aborted is a call that the caller cancelled, or a run that was closed", async () => {
  const never = tool("never", () => new Promise(() => {}));
  const controller = new AbortController();
  await using run = real.openRun({ tools: [never] });
  const cancelled = run.exec({ code: "await never({})" }, { signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  expect(failed(await cancelled)).toEqual(as("aborted", "host"));
  const closed = run.exec({ code: "await never({})" });
  await run.close();
  expect(failed(await closed)).toEqual(as("aborted", "host"));
});

test("ERR-03: snapshot_limit_exceeded is a cell too large to be parked", async () => {
  await using run = real.openRun({}, { maxSnapshotBytes: 1_024 });
  expect(failed(await run.exec({ code: "await yield_control();" }))).toEqual(as("snapshot_limit_exceeded", "host"));
});

test("ERR-03: runtime_unavailable is a worker that cannot start", async () => {
  const executor = createSupervisor({ workerUrl: new URL("./no-such-worker.mjs", import.meta.url) });
  await using host = createCodeMode({ executor });
  expect(failed(await openRunOf(host)().exec({ code: "return 1" }))).toEqual(as("runtime_unavailable", "host"));
  await executor.close();
});

test("ERR-03: internal_error is a fault of the host, such as a store that breaks", async () => {
  const store = createMemorySnapshotStore();
  const broken = { ...store, park: () => Promise.reject(new Error("disk full")) };
  await using host = createCodeMode({ snapshotStore: broken });
  expect(failed(await openRunOf(host)().exec({ code: "await yield_control();" }))).toEqual(
    as("internal_error", "host"),
  );
});

test.each<[string, string, FailurePhase]>([
  ["an error of the guest", "throw new Error('no')", "guest"],
  ["an unhandled rejection", "Promise.reject(new Error('no')); return 1", "guest"],
  ["a promise that never settles", "await new Promise(() => {})", "guest"],
  ["exhausted memory", "const a = []; for (;;) a.push(new Array(1e4).fill(0))", "guest"],
  ["an overflow of the stack", "const f = () => f() + 1; f()", "guest"],
  ["a failed call", "await fail({})", "bridge"],
])("ERR-03: what the cell itself does wrong has a phase and no code: %s", async (_, code, phase) => {
  const fail = tool("fail", () => {
    throw Object.assign(new Error("no"), { code: "timeout" });
  });
  await using run = real.openRun({ tools: [fail] });
  expect(failed(await run.exec({ code }))).toEqual({ failurePhase: phase });
});
