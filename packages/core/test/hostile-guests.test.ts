import { afterAll, beforeAll, expect, test } from "vitest";
import { createRealHost, type RealHost } from "./fakes/real-host.js";
import { tool } from "./fakes/test-host.js";

let real: RealHost;
beforeAll(async () => {
  real = await createRealHost();
});
afterAll(() => real.host.close());

test("LIM-06: a guest that floods its host in one step fails, and nothing is dispatched", async () => {
  let calls = 0;
  const run = real.openRun({ tools: [tool("count", () => ++calls)] }, { overflow: "queue", timeoutMs: 60_000 });
  const code = "for (let n = 0; n < 30_000; n++) void count({}).catch(() => {}); return 1;";
  expect(await run.exec({ code })).toMatchObject({
    status: "failed",
    error: "RangeError: too many requests in one step, at most 20000. Await calls and timers in groups.",
    code: "invalid_input",
    failurePhase: "bridge",
  });
  expect(calls).toBe(0);
  expect(await run.exec({ code: "return await count({});" })).toMatchObject({ status: "completed", value: 1 });
});

test("ERR-04: where the guest's stack ends, a call is made whole or not at all", async () => {
  const seen: number[] = [];
  const run = real.openRun({ tools: [tool("note", ({ n }: { n: number }) => seen.push(n))] }, { timeoutMs: 60_000 });
  // Each turn reaches the end of the stack with other steps, so that it ends at every place of the prelude.
  const code = `
    const made = [];
    let n = 0;
    for (let turn = 0; turn < 60; turn++) {
      const padding = new Array(turn).fill(0);
      const calls = [];
      let left = 3;
      const deep = (...rest) => {
        try { deep(...rest); } catch {}
        if (left-- <= 0) return;
        const id = n++;
        calls.push(note({ n: id }).then(() => { made.push(id); }, () => {}));
      };
      deep(...padding);
      await Promise.all(calls);
    }
    return made;`;
  const result = await run.exec({ code });
  expect(result).toMatchObject({ status: "completed", value: seen });
  expect(new Set(seen).size).toBe(seen.length);
});

test("ERR-04: a failed call that the guest rewrote is the guest's failure, with its text", async () => {
  const refuse = tool("refuse", () => {
    throw new Error("not today");
  });
  const run = real.openRun({ tools: [refuse] });
  expect(await run.exec({ code: "await refuse({});" })).toMatchObject({
    error: "Error: not today",
    failurePhase: "bridge",
  });
  const code = 'try { await refuse({}); } catch (error) { error.message = "worker lost"; throw error; }';
  expect(await run.exec({ code })).toMatchObject({ error: "Error: worker lost", failurePhase: "guest" });
});
