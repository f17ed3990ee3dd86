import { resolveConfig } from "@codemode/config";
import { expect, test } from "vitest";
import { createCodeMode } from "../src/create-code-mode.js";

const CELL = { code: "const n: number = 1; return n;", language: "typescript" } as const;

test("LIM-10: starting a worker and loading the compiler spend the exec's deadline, and a later exec has its own", async () => {
  const host = createCodeMode({ config: { timeoutMs: 100 }, workers: { max: 1 } });
  const scope = { agentRunId: "run" };
  const startedAt = performance.now();
  // A tenth of a second does not load a compiler.
  expect(await host.openRun({ scope, tools: [] }).exec(CELL)).toMatchObject({ status: "failed", code: "timeout" });
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  const { limits } = resolveConfig({ timeoutMs: 20_000 });
  const patient = { engaged: true, reason: "test", source: "global", limits } as const;
  const later = await host.openRun({ scope, tools: [], activation: patient }).exec(CELL);
  expect(later).toMatchObject({ status: "completed", value: 1 });
  await host.close();
});
