// Runs cells one after the other and prints, for every twentieth part, the memory of the process in MB. Arguments: the
// number of cells, a multiple of 20.
import { createCodeMode } from "@codemode/core";

const CODE = 'const items = await list({}); text("seen"); return items.map((item) => item.id).join();';
const cells = Number(process.argv[2]);
const host = createCodeMode({ workers: { min: 1, max: 1 } });
const run = host.openRun({
  scope: { agentRunId: "memory" },
  tools: [
    {
      name: "list",
      description: "Lists items.",
      parameters: { type: "object", properties: {} },
      execute: () => ({ details: Array.from({ length: 20 }, (_, id) => ({ id, label: `item ${id}` })) }),
    },
  ],
});
const megabytes: number[] = [];
for (let done = 1; done <= cells; done++) {
  const result = await run.exec({ code: CODE });
  if (result.status !== "completed") throw new Error(`a cell is ${result.status}`);
  if (done % (cells / 20) !== 0) continue;
  globalThis.gc?.();
  megabytes.push(process.memoryUsage().rss / 1024 / 1024);
}
console.log(JSON.stringify(megabytes));
await host.close();
