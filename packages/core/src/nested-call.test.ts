import { expect, test, vi } from "vitest";
import type { CodeModeEvent } from "@codemode/protocol";
import { settled } from "../test/fakes/fake-clock.js";
import { createTestHost, deferred, tool } from "../test/fakes/test-host.js";

const UNSHOWABLE = "an error that nothing can show";

vi.mock("./lookups.js", async (importOriginal) => {
  const original = await importOriginal<typeof import("./lookups.js")>();
  const errorReply: typeof original.errorReply = (id, error, limits) => {
    if (error === UNSHOWABLE) throw new Error("it broke");
    return original.errorReply(id, error, limits);
  };
  return { ...original, errorReply };
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function throwingHost(thrown: unknown) {
  const fail = tool("fail", () => {
    throw thrown;
  });
  return createTestHost({
    programs: { main: (guest) => guest.call("fail").catch((error: unknown) => String(error)) },
    run: { tools: [fail] },
  });
}

test("ERR-01: a tool that throws a revoked proxy fails its call like any other", async () => {
  const { run, faults } = throwingHost(revoked());
  expect(await run.exec({ code: "main" })).toMatchObject({ status: "completed", value: "Error: an object" });
  expect(faults).toEqual([]);
});

test("ERR-01: when even the error cannot be made a reply, the guest gets one and the host is told", async () => {
  const { run, faults } = throwingHost(UNSHOWABLE);
  expect(await run.exec({ code: "main" })).toMatchObject({
    status: "completed",
    value: "Error: fail failed, and its error cannot be shown.",
  });
  expect(faults).toEqual([new Error("it broke")]);
  expect(run.trajectory()).toMatchObject([{ toolName: "fail", status: "failed" }]);
});

function endingHost(endAt: CodeModeEvent["type"]) {
  const ran: number[] = [];
  const made = createTestHost({
    programs: {
      main: (guest) => Promise.all([guest.call("danger", { n: 1 }), guest.call("danger", { n: 2 })]),
      pause: async (guest) => guest.yieldControl(),
    },
    run: { tools: [tool("danger", ({ n }: { n: number }) => ran.push(n))] },
    onEvent: ({ type }) => {
      if (type === endAt) void made.run.close("an observer said so");
    },
  });
  const happened = (): string[] => made.events.map((event) => `${event.type} ${"status" in event ? event.status : ""}`);
  return { ...made, ran, happened };
}

const ENDED = { error: "code mode cell was aborted: an observer said so", code: "aborted", calls: [] };

test("OWN-01: a call whose start makes an observer end the cell does not run, nor does the next one", async () => {
  const { run, ran, happened } = endingHost("call-start");
  expect(await run.exec({ code: "main" })).toMatchObject(ENDED);
  await settled();
  expect(ran).toEqual([]);
  expect(happened()).toEqual(["cell-start ", "call-start ", "call-end failed", "cell-end failed"]);
  expect(run.trajectory()).toEqual([]);
});

test("OWN-01: a cell that an observer ends at its start never opens a worker", async () => {
  const { run, executor, happened } = endingHost("cell-start");
  expect(await run.exec({ code: "main" })).toMatchObject(ENDED);
  expect(executor.counts.opened).toBe(0);
  expect(happened()).toEqual(["cell-start ", "cell-end failed"]);
});

test("OWN-01: a cell that an observer ends when it is parked is not told as waiting", async () => {
  const { run, happened } = endingHost("cell-park");
  expect(await run.exec({ code: "pause" })).toMatchObject(ENDED);
  expect(happened()).toEqual(["cell-start ", "cell-park ", "cell-end failed"]);
});

test("OUTC-04: calls of an ended cell hold no gate, and what waited there has not been dispatched", async () => {
  const { run, events } = createTestHost({
    programs: {
      stuck: (guest) => Promise.all([guest.call("never"), guest.call("write"), guest.call("echo")]),
      write: (guest) => guest.call("write"),
      sequential: (guest) => guest.call("stuckWrite"),
    },
    run: {
      tools: [
        tool("never", () => deferred().promise),
        tool("echo", () => "echoed"),
        tool("write", () => "written", { executionMode: "sequential" }),
        tool("stuckWrite", () => deferred().promise, { executionMode: "sequential" }),
      ],
    },
  });
  for (const [code, calls] of [
    ["stuck", [{ name: "never", status: "unknown" }]],
    ["sequential", [{ name: "stuckWrite", status: "unknown" }]],
  ] as const) {
    const controller = new AbortController();
    const exec = run.exec({ code }, { signal: controller.signal });
    await settled();
    controller.abort();
    expect(await exec).toMatchObject({ status: "failed", code: "aborted", calls });
    expect(await run.exec({ code: "write" })).toMatchObject({ status: "completed", value: "written" });
  }
  const started = events.flatMap((event) => (event.type === "call-start" ? [event.name] : []));
  expect(started).toEqual(["never", "write", "stuckWrite", "write"]);
  expect(run.telemetry().callCount).toBe(4);
});
