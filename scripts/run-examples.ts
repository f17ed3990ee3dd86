// Runs every example and fails when one does. Usage: tsx scripts/run-examples.ts [name...]   (after `npm run build`)
//
// An example asserts its own results and ends with a code other than 0 on a mismatch.
import { listPackages } from "./workspace/packages.js";
import { runProgram } from "./workspace/run-program.js";
import { readSourceTree } from "./workspace/source-tree.js";

const wanted = process.argv.slice(2);
const examples = listPackages(readSourceTree(), "examples").filter(
  ({ name }) => wanted.length === 0 || wanted.includes(name),
);
const failed: string[] = [];
for (const { name, folder } of examples) {
  const startedAt = performance.now();
  const { code, text } = await runProgram(process.execPath, [`${folder}/dist/main.js`]);
  console.log(`${name}: ${code === 0 ? "in order" : "failed"} after ${Math.round(performance.now() - startedAt)} ms`);
  if (code === 0) continue;
  failed.push(name);
  console.error(text);
}
if (examples.length === 0)
  console.error(`There is no example${wanted.length === 0 ? "" : ` named ${wanted.join(" or ")}`}.`);
if (failed.length > 0 || examples.length === 0) process.exitCode = 1;
