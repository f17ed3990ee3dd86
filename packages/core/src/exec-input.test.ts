import { expect, test } from "vitest";
import type { NestedCall, ToolHooks } from "@codemode/protocol";
import { settled } from "../test/fakes/fake-clock.js";
import { createTestHost, deferred } from "../test/fakes/test-host.js";

const NO_SOURCE = "code or command must be a non-empty string.";

async function errorOf(input: unknown, hooks?: ToolHooks, config = {}): Promise<unknown> {
  const { run } = createTestHost({
    config,
    programs: { one: () => 1, two: () => 2 },
    run: hooks === undefined ? {} : { hooks },
  });
  const result = await run.exec(input as object);
  if (result.status !== "failed") return (result as { value: unknown }).value;
  const { error, code, failurePhase } = result;
  expect([code, failurePhase]).toEqual(["invalid_input", "input"]);
  return error;
}

test.each([
  [{ code: "one" }, 1],
  [{ command: "two" }, 2],
  [{ code: "", command: "two" }, 2],
  [{ code: "one", command: " \n" }, 1],
  [{ code: "one", command: null }, 1],
  [{ code: "one", command: "one" }, 1],
  [{ code: "one", command: "two" }, "code and command must match when both are provided."],
  [{}, NO_SOURCE],
  [{ code: " ", command: "" }, NO_SOURCE],
  [{ code: 1 }, NO_SOURCE],
  [{ code: "one", command: 2 }, NO_SOURCE],
  [undefined, NO_SOURCE],
  ["one", NO_SOURCE],
])("EXEC-02: exec(%j) gives %j", async (input, expected) => {
  expect(await errorOf(input)).toBe(expected);
});

test.each([
  [{ code: "one", language: "typescript" }, 1],
  [{ code: "one", language: null }, 1],
  [{ code: "one", language: "python" }, "language must be javascript or typescript."],
  [{ code: "one", language: 3 }, "language must be javascript or typescript."],
  [{ code: "one", restartSafe: false }, 1],
  [{ code: "one", restartSafe: "yes" }, "restartSafe must be a boolean."],
  [{ code: "one", title: "a".repeat(500), extra: true }, 1],
])("EXEC-03: exec(%j) gives %j", async (input, expected) => {
  expect(await errorOf(input)).toBe(expected);
});

test("EXEC-03: a disabled language is refused; the default follows what is allowed", async () => {
  const config = { languages: ["typescript" as const] };
  expect(await errorOf({ code: "one", language: "javascript" }, undefined, config)).toBe(
    "language javascript is disabled; use typescript.",
  );
  expect(await errorOf({ code: "one" }, undefined, config)).toBe(1);
});

test("EXEC-03: a source above maxSourceBytes is refused, counted in UTF-8", async () => {
  expect(await errorOf({ code: "é".repeat(600) }, undefined, { maxSourceBytes: 1_024 })).toBe(
    "the source has 1200 bytes; at most 1024 are allowed (maxSourceBytes).",
  );
});

test("EXEC-12: the outer hook sees the cell and may rewrite it", async () => {
  const seen: NestedCall[] = [];
  const value = await errorOf(
    { code: "", command: "one", language: "typescript" },
    {
      beforeToolCall: async (call) => {
        seen.push(call);
        return { input: { command: "two" } };
      },
    },
  );
  expect(value).toBe(2);
  expect(seen).toMatchObject([
    {
      toolName: "exec",
      toolKind: "code_mode_exec",
      toolInputKind: "typescript",
      input: { command: "one", language: "typescript" },
      scope: { agentRunId: "agent-1", sessionId: "session-1" },
    },
  ]);
});

test.each([[{ code: "", command: "one" }], [{ command: "one" }], [{ code: 7, command: "one" }], [undefined]])(
  "EXEC-02: a hook that invalidates one alias with %j invalidates both",
  async (rewritten) => {
    const hooks = { beforeToolCall: async () => ({ input: rewritten }) };
    expect(await errorOf({ code: "one", command: "one" }, hooks)).toBe(NO_SOURCE);
  },
);

test("a hook may block the cell, and one that fails stops it", async () => {
  const blocked = createTestHost({ run: { hooks: { beforeToolCall: async () => ({ block: "no code today" }) } } });
  const { telemetry: _, ...first } = await blocked.run.exec({ code: "one" });
  expect(first).toEqual({ status: "failed", error: "no code today", failurePhase: "input" });
  const broken = createTestHost({ run: { hooks: { beforeToolCall: () => Promise.reject(new RangeError("policy")) } } });
  const { telemetry: __, ...second } = await broken.run.exec({ code: "one" });
  expect(second).toEqual({
    status: "failed",
    error: "RangeError: policy",
    code: "internal_error",
    failurePhase: "host",
  });
  expect(broken.executor.counts.opened).toBe(0);
});

test("LIM-10: a hook that hangs costs the exec's budget and no more", async () => {
  const { run, clock, executor } = createTestHost({
    config: { timeoutMs: 1_000 },
    run: { hooks: { beforeToolCall: () => new Promise(() => {}) } },
  });
  const exec = run.exec({ code: "one" });
  await clock.advance(1_000);
  const { telemetry: _, replaySafe: __, ...result } = await exec;
  expect(result).toEqual({
    status: "failed",
    error: "code mode deadline passed while waiting for the beforeToolCall hook",
    code: "timeout",
    failurePhase: "host",
  });
  expect([executor.counts.opened, clock.armed()]).toEqual([0, 0]);
});

test("LIM-10: what the hook took is missing from the cell's budget", async () => {
  const gate = deferred<undefined>();
  const { run, clock } = createTestHost({
    config: { timeoutMs: 1_000 },
    programs: { one: (guest) => guest.setTimeout(() => {}, 900) },
    run: { hooks: { beforeToolCall: () => gate.promise } },
  });
  const exec = run.exec({ code: "one" });
  await clock.advance(700);
  gate.resolve(undefined);
  await clock.advance(50);
  expect(await exec).toMatchObject({ status: "waiting" });
});

test("OWN-01: a caller that aborts does not wait for the hook, and is not asked about when it came aborted", async () => {
  const asked: string[] = [];
  const { run, clock } = createTestHost({
    run: {
      hooks: {
        beforeToolCall: (call) => {
          asked.push(call.toolName);
          return new Promise(() => {});
        },
      },
    },
  });
  const controller = new AbortController();
  const exec = run.exec({ code: "one" }, { signal: controller.signal });
  await settled();
  controller.abort();
  const aborted = { error: "code mode cell was aborted: the call was cancelled", code: "aborted" };
  expect(await exec).toMatchObject(aborted);
  expect(await run.exec({ code: "one" }, { signal: controller.signal })).toMatchObject(aborted);
  expect([asked, clock.armed()]).toEqual([["exec"], 0]);
});

test("LIM-05: a refusal's text stays within the output limit", async () => {
  for (const hooks of [
    { beforeToolCall: async () => ({ block: "b".repeat(1_000_000) }) },
    { beforeToolCall: () => Promise.reject(new Error("b".repeat(1_000_000))) },
  ]) {
    const { run } = createTestHost({ config: { maxOutputBytes: 1_024 }, run: { hooks } });
    const { error } = (await run.exec({ code: "one" })) as { error: string };
    expect(error).toMatch(/b \[error truncated\]$/);
    expect(Buffer.byteLength(error)).toBeLessThanOrEqual(1_024);
  }
});
