import { buildHistory, replayedCalls, type ModelCall } from "@codemode/telemetry";
import { expect, test } from "vitest";
import { settled } from "./fakes/fake-clock.js";
import { createTestHost, deferred, tool } from "./fakes/test-host.js";

test("HIST-02, HIST-03: nested calls keep parent, own id and order across waits; partial updates leave no trace", async () => {
  const gate = deferred<string>();
  const slow = tool("slow", async (_input, { onUpdate }) => {
    onUpdate({ partial: "half of it" });
    return gate.promise;
  });
  const fail = tool("fail", () => {
    throw new Error("refused for hunter2, token=abc");
  });
  const { run, clock, events } = createTestHost({
    redaction: { secrets: ["hunter2"] },
    programs: {
      main: async (guest) => {
        const first = guest.call("slow");
        await guest.call("quick");
        await first;
        await guest.call("fail").catch(() => {});
        return "done";
      },
    },
    run: { tools: [slow, fail, tool("quick", () => 1)] },
  });
  const updates: unknown[] = [];
  const onUpdate = ({ partial }: { partial: unknown }): void => void updates.push(partial);

  const exec = run.exec({ code: "main" }, { toolCallId: "m-1", onUpdate });
  await settled();
  await clock.advance(10_000);
  const { runId } = (await exec) as { runId: string };
  const calls: ModelCall[] = [{ id: "m-1", name: "exec", input: { code: "main" } }];
  expect(buildHistory(calls, run.trajectory()).map(({ id }) => id)).toEqual(["m-1", run.trajectory()[1]?.id]);

  const wait = run.wait({ runId }, { toolCallId: "m-2" });
  gate.resolve("late");
  expect(await wait).toMatchObject({ status: "completed", value: "done" });
  calls.push({ id: "m-2", name: "wait", input: { runId } });

  const shown = run.trajectory().map(({ toolName, parentId, status, error }) => [toolName, parentId, status, error]);
  expect(shown).toEqual([
    ["slow", "m-1", "completed", undefined],
    ["quick", "m-1", "completed", undefined],
    ["fail", "m-2", "failed", "Error: refused for ***, token=***"],
  ]);
  const ids = run.trajectory().map(({ id }) => id);
  const history = buildHistory(calls, run.trajectory());
  expect(history.map(({ id }) => id)).toEqual(["m-1", ids[0], ids[1], "m-2", ids[2]]);
  expect(replayedCalls(history)).toEqual(calls);

  expect(updates).toEqual([{ partial: "half of it" }]);
  expect(JSON.stringify([run.trajectory(), history, events])).not.toContain("half of it");
});
