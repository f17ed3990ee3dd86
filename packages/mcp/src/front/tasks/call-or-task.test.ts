import type { CodeModeResult, NestedCall } from "@codemode/core";
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { createCellActivity } from "../cell-activity.js";
import { systemClock } from "../front-clock.js";
import type { CallSetting } from "../perform-call.js";
import type { QuestionRoute } from "../question-route.js";
import { callOrTask } from "./call-or-task.js";
import { createTaskInputs } from "./task-inputs.js";
import { createTaskStore } from "./task-store.js";

const form: ElicitRequestFormParams = {
  mode: "form",
  message: "?",
  requestedSchema: { type: "object", properties: {} },
};
const { signal } = new AbortController();

/** Asks by the cell's route; gives the answer or why there is none. */
type Ask = () => Promise<string>;

/** A session whose programs do what `cell` does, with a call under way that can ask. */
function setup(cell: (ask: Ask) => Promise<CodeModeResult>) {
  let ids = 0;
  const activity = createCellActivity();
  const store = createTaskStore({ clock: systemClock, newId: () => `task-${(ids += 1)}`, onChanged: () => {} });
  const tasks = { kind: "extension", store, inputs: createTaskInputs() } as const;
  const handleToolCall = (_name: string, _input: unknown, { toolCallId }: { toolCallId: string }) => {
    const call = { id: `n-${toolCallId}`, parentId: toolCallId, callableName: "MCP.shop.order" } as NestedCall;
    activity.nested(call);
    const route = activity.routeOf(call) as QuestionRoute;
    return cell(() =>
      route.ask(form, signal).then(
        ({ action }) => action,
        (error: unknown) => (error as Error).message,
      ),
    );
  };
  const setting = {
    host: { clock: systemClock, newId: () => `call-${(ids += 1)}`, emit: () => {}, reportFault: () => {} },
    number: 1,
    run: { handleToolCall, media: () => undefined },
    activity,
  } as unknown as CallSetting;
  const call = () => callOrTask(setting, tasks, { name: "exec", input: {}, signal, takesForms: true });
  const fill = (): void => {
    while (store.start(() => new Promise<never>(() => {}), undefined) !== undefined);
  };
  return { tasks, call, fill };
}

const completed = (value: string) => ({ status: "completed", value }) as CodeModeResult;

test("MCP-14, E2E-03: a program that asks is answered with a task, which ends with the program", async () => {
  const { tasks, call } = setup(async (ask) => completed(await ask()));
  const { taskId, resultType } = (await call()) as unknown as { taskId: string; resultType: string };
  expect(resultType).toBe("task");
  expect(tasks.store.get(taskId)).toMatchObject({
    status: "input_required",
    statusMessage: "0 calls done, 1 under way: MCP.shop.order",
  });
  tasks.inputs.answer(taskId, { "question-1": { action: "decline" } });
  const outcome = await tasks.store.outcome(taskId);
  expect(outcome?.answer().structuredContent).toMatchObject({ status: "completed", value: "decline" });
  tasks.store.close();
});

test("MCP-14, E2E-03: while too many tasks are under way a program that asks becomes none, and its question has no answer", async () => {
  const { tasks, call, fill } = setup(async (ask) => completed(await ask()));
  fill();
  expect((await call()).structuredContent).toMatchObject({
    status: "completed",
    value: "the program is no task and can be none",
  });
  tasks.store.close();
});

test("MCP-14, E2E-03: a program whose client was told to wait becomes no task by what it asks later", async () => {
  let askLater: Ask = () => Promise.reject(new Error("no cell has run"));
  const { tasks, call, fill } = setup(async (ask) => {
    askLater = ask;
    return { status: "waiting", runId: "cm_1", reason: "yield" } as CodeModeResult;
  });
  fill();
  expect((await call()).structuredContent).toMatchObject({ status: "waiting", runId: "cm_1" });
  const before = tasks.store.list();
  for (const { taskId } of before) tasks.store.cancel(taskId);
  expect(await askLater()).toBe("the program is no task and can be none");
  expect(tasks.store.list()).toHaveLength(before.length);
  tasks.store.close();
});
