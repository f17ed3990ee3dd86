// Prints how long, in ms, a fresh process takes from importing `run` to the first result.
const startedAt = performance.now();
const { run } = await import("run");
const result = await run({ source: "return 1", hostFunctions: {} });
const elapsedMs = performance.now() - startedAt;
if (result.status !== "completed" || result.value !== 1) throw new Error(`the run is ${result.status}`);
console.log(JSON.stringify(elapsedMs));
process.exit(0);
