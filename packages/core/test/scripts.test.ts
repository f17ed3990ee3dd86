import { expect, test } from "vitest";
import type { CodeModeFailedResult, CodeModeResult } from "@codemode/protocol";
import type { ScriptOptions } from "../src/options.js";
import { createCodeMode } from "../src/create-code-mode.js";
import { settled } from "./fakes/fake-clock.js";
import type { FakeProgram } from "./fakes/fake-guest.js";
import { createTestHost, tool, type TestHost } from "./fakes/test-host.js";

function plain({ telemetry: _, replaySafe: __, ...rest }: CodeModeResult): object {
  return rest;
}

/** `slow` takes as long as it is told; `ask` is a person that takes an hour. */
function scriptHost(main: FakeProgram, config: object = {}) {
  const made: TestHost = createTestHost({ config: { timeoutMs: 1_000, ...config }, programs: { main } });
  const later = (ms: number) => new Promise((resolve) => made.clock.schedule(() => resolve(ms), ms));
  const tools = [
    tool("slow", ({ ms }: { ms: number }) => later(ms)),
    tool("ask", () => later(3_600_000), { humanPaced: true }),
    tool("echo", (input) => input),
  ];
  const script = (options: Partial<ScriptOptions> = {}): Promise<CodeModeResult> =>
    made.host.runScript("main", { scope: { agentRunId: "cron-1" }, tools, ...options });
  return { ...made, script };
}

function expectNothingLeft({ clock, executor, faults }: TestHost): void {
  expect([executor.counts.opened - executor.counts.closed, clock.armed(), faults]).toEqual([0, 0, []]);
}

test("HEAD-01: a script runs to its end through yields and calls that outlive a deadline, with all of its output", async () => {
  const host = scriptHost(async (guest) => {
    guest.text("one");
    await guest.yieldControl();
    guest.text("two");
    const slow = await guest.call("slow", { ms: 2_500 });
    await new Promise<void>((resolve) => guest.setTimeout(resolve, 1_200));
    guest.text("three");
    return slow;
  });
  const script = host.script();
  await host.clock.advance(2_500);
  await host.clock.advance(1_200);
  const output = ["one", "two", "three"].map((text) => ({ type: "text", text }));
  expect(plain(await script)).toEqual({ status: "completed", value: 2_500, output });
  expectNothingLeft(host);
});

test("HEAD-01: a script has a total of calls, over its waits; the batch past it is not dispatched, even if it is caught", async () => {
  const host = scriptHost(async (guest) => {
    for (let n = 0; n < 3; n++) await guest.call("echo");
    await guest.yieldControl();
    await Promise.all([1, 2].map(() => guest.call("echo").catch(() => {})));
    return "caught";
  });
  const result = await host.script({ maxCalls: 4 });
  expect(plain(result)).toEqual({
    status: "failed",
    error:
      "too many tool calls: the script made 5, and 4 are allowed in all (maxCalls). None of the last 2 was started.",
    code: "invalid_input",
    failurePhase: "bridge",
    calls: [1, 2, 3].map(() => ({ name: "echo", status: "completed" })),
  });
  expect(plain(await host.script({ maxCalls: 5 }))).toEqual({ status: "completed", value: "caught" });
  expectNothingLeft(host);
});

test("HEAD-01: a script ends at its own duration, people not counted, and its calls are aborted", async () => {
  const host = scriptHost(async (guest) => {
    guest.text("before");
    await guest.call("ask");
    return guest.call("slow", { ms: 999_999 });
  });
  const startedAt = host.clock.now();
  let endedAt = 0;
  const script = host.script({ maxDurationMs: 5_000 }).finally(() => (endedAt = host.clock.now()));
  for (let second = 0; endedAt === 0 && second < 3_700; second++) {
    host.clock.jump(1_000);
    await settled();
  }
  const result = (await script) as CodeModeFailedResult;
  expect(plain(result)).toEqual({
    status: "failed",
    error: "code mode script did not end within 5000 ms (maxDurationMs)",
    code: "timeout",
    failurePhase: "host",
    calls: [
      { name: "ask", status: "completed" },
      { name: "slow", status: "unknown" },
    ],
    output: [{ type: "text", text: "before" }],
  });
  expect(endedAt - startedAt).toBeLessThanOrEqual(3_600_000 + 6_000);
});

test("HEAD-01: only the byte budget bounds what a script gives, and guest time is bounded as in any cell", async () => {
  const value = "a".repeat(60_000);
  expect(await scriptHost(() => value).script()).toMatchObject({ status: "completed", value });
  const cut = await scriptHost(() => value, { maxOutputBytes: 1_024 }).script();
  expect(cut).toMatchObject({ status: "completed", value: { truncated: true } });
  const busy = scriptHost((guest) => guest.burn(1_500));
  expect(await busy.script()).toMatchObject({ status: "failed", code: "timeout", failurePhase: "guest" });
});

test("HEAD-01: a script is cancelled by its signal, also one that had aborted, and by closing the host", async () => {
  const host = scriptHost((guest) => guest.call("slow", { ms: 10_000 }));
  const controller = new AbortController();
  const script = host.script({ signal: controller.signal });
  await host.clock.advance(1_500);
  controller.abort();
  const aborted = { status: "failed", code: "aborted", failurePhase: "host" };
  expect(await script).toMatchObject({ ...aborted, calls: [{ name: "slow", status: "unknown" }] });
  expect(await host.script({ signal: controller.signal })).toMatchObject(aborted);
  const last = host.script();
  await host.clock.advance(100);
  await host.host.close();
  expect(await last).toMatchObject(aborted);
  await expect(host.script()).rejects.toMatchObject({ code: "closed" });
});

test.each([
  [{ maxCalls: 0 }, "maxCalls: it must be a whole number from 1 to 100000."],
  [{ maxDurationMs: 99 }, "maxDurationMs: it must be a whole number from 100 to 86400000."],
])("HEAD-01: %j is refused", async (options, message) => {
  await expect(scriptHost(() => null).script(options)).rejects.toThrow(message);
});

test("HEAD-01: a TypeScript script runs on a real worker, with timers and a call that outlives its deadline", async () => {
  await using host = createCodeMode({ config: { timeoutMs: 1_000 }, workers: { max: 1 } });
  await host.prewarm({ typescript: true });
  const slow = tool("slow", (input) => new Promise((resolve) => setTimeout(() => resolve(input), 1_200)));
  const source = `
    const got: { n: number } = await slow({ n: 20 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    text("done");
    return got.n + 1;`;
  const options = { scope: { agentRunId: "cron-1" }, tools: [slow], language: "typescript" } as const;
  expect(plain(await host.runScript(source, options))).toEqual({
    status: "completed",
    value: 21,
    output: [{ type: "text", text: "done" }],
  });
}, 60_000);
