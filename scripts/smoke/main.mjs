// Runs inside the empty project that pack-smoke fills: imports every entry named on the command line, runs one cell.
const entries = process.argv.slice(2);
for (const entry of entries) {
  const module = await import(entry);
  // A thread's module is run, not used.
  if (Object.keys(module).length === 0 && !entry.endsWith("/entry")) throw new Error(`${entry} exports nothing`);
}

const { createCodeMode } = await import("@codemode/core");
const codeMode = createCodeMode();
const double = {
  name: "double",
  description: "Doubles a number.",
  parameters: { type: "object", properties: { value: { type: "number" } }, required: ["value"] },
  execute: ({ value }) => ({ details: value * 2 }),
};
const run = codeMode.openRun({ scope: { agentRunId: "smoke" }, tools: [double] });
for (const [language, code] of [
  ["javascript", "return await double({ value: 21 });"],
  ["typescript", "const value: number = 21; return await double({ value });"],
]) {
  const result = await run.exec({ language, code });
  if (result.status !== "completed" || result.value !== 42) throw new Error(`${language}: ${JSON.stringify(result)}`);
}
await codeMode.close();
console.log(`imported ${entries.length} entries and ran two cells`);
