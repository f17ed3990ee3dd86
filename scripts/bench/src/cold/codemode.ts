// Prints how long, in ms, a fresh process takes from importing core to the first result. Arguments: the language.
import type { CellLanguage } from "@codemode/protocol";

const language = process.argv[2] as CellLanguage;
const code = language === "typescript" ? "const value: number = 1; return value" : "return 1";

const startedAt = performance.now();
const { createCodeMode } = await import("@codemode/core");
const host = createCodeMode();
const run = host.openRun({ scope: { agentRunId: "cold" }, tools: [] });
const result = await run.exec({ code, language });
const elapsedMs = performance.now() - startedAt;
if (result.status !== "completed" || result.value !== 1) throw new Error(`the cell is ${result.status}`);
console.log(JSON.stringify(elapsedMs));
await host.close();
