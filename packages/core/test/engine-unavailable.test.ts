import { createSupervisor } from "@codemode/supervisor";
import { afterEach, expect, test } from "vitest";
import { createCodeMode, enforcePayload, type CodeMode } from "../src/index.js";
import { tool } from "./fakes/test-host.js";

const hosts: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

/** A host whose workers run `fixture` instead of the entry. */
function hostWith(fixture: string): CodeMode {
  const executor = createSupervisor({ workerUrl: new URL(`./fixtures/${fixture}`, import.meta.url), maxWorkers: 1 });
  const host = createCodeMode({ executor });
  hosts.push(host, executor);
  return host;
}

test.each(["no-webassembly.mjs", "broken-worker.mjs"])(
  "ACT-11: an engaged run whose engine cannot load fails and shows no hidden tool: %s",
  async (fixture) => {
    const called: string[] = [];
    const run = hostWith(fixture).openRun({
      scope: { agentRunId: "agent-1" },
      tools: [
        tool("delete_all", () => called.push("delete_all")),
        tool("camera", () => called.push("camera"), { directOnly: true }),
      ],
    });
    const shown = ["exec", "wait", "camera"];
    for (let attempt = 0; attempt < 2; attempt++) {
      const result = await run.exec({ code: "return await delete_all({})" });
      expect(result).toMatchObject({ status: "failed", code: "runtime_unavailable", failurePhase: "host", calls: [] });
      expect(JSON.stringify(result)).not.toContain("delete_all");
      expect(run.modelTools.map(({ name }) => name)).toEqual(shown);
    }
    await expect(run.handleToolCall("delete_all", {})).rejects.toMatchObject({ code: "invalid_argument" });
    const fallback = { tools: [{ name: "delete_all" }] };
    expect(() => enforcePayload(fallback, run)).toThrow("it holds exec 0 times instead of once");
    expect([run.stats().codeModeEngaged, called]).toEqual([true, []]);
  },
);
