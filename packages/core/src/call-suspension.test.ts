import { expect, test } from "vitest";
import { createTestHost, deferred, tool } from "../test/fakes/test-host.js";
import { createCallSuspension } from "./call-suspension.js";

test("a suspension gives the promise's own outcome", async () => {
  const { suspend } = createCallSuspension((whileWaiting) => whileWaiting);
  expect(await suspend(Promise.resolve("allow"))).toBe("allow");
  await expect(suspend(Promise.reject(new Error("denied")))).rejects.toThrow("denied");
});

test("the end of the call ends what it left open, and suspends nothing any more", async () => {
  let open = 0;
  const suspension = createCallSuspension(async (whileWaiting) => {
    open++;
    await whileWaiting;
    open--;
  });
  void suspension.suspend(new Promise(() => {}));
  expect(open).toBe(1);
  suspension.end();
  await new Promise(setImmediate);
  void suspension.suspend(new Promise(() => {}));
  expect(open).toBe(0);
});

test("a tool that returns while it suspends the budget does not stop the cell's clock", async () => {
  const leak = tool("leak", (_input, { suspendBudget }) => {
    void suspendBudget(new Promise(() => {}));
    void suspendBudget(Promise.reject(new Error("dropped")));
    return null;
  });
  const { run, clock } = createTestHost({
    config: { timeoutMs: 1_000 },
    programs: {
      main: async (guest) => {
        await guest.call("leak");
        return guest.call("slow");
      },
    },
    run: { tools: [leak, tool("slow", () => deferred().promise)] },
  });
  const exec = run.exec({ code: "main" });
  await clock.advance(750);
  expect(await exec).toMatchObject({ status: "waiting", telemetry: { timing: { peopleMs: 0 } } });
});
