// Runs every stage of scripts/stages.mjs, says how each ended and how long it took, and goes on after a failure.
//
// The last line it prints is `N passed, N failed` (`, N skipped` when there are any): the tests' own numbers, and one for
// each further stage.
import { spawn } from "node:child_process";
import { STAGES } from "./stages.mjs";

const CLOSING_LINE = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm;

/** Runs the named stages, or all, in the folder `root`. Resolves to whether every one passed. */
export async function check(names, root, stages = STAGES) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const name of names.length > 0 ? names : Object.keys(stages)) {
    const counts = await runStage(name, stages[name], root);
    for (const key of Object.keys(sum)) sum[key] += counts[key];
  }
  const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : "";
  process.stdout.write(`${sum.passed} passed, ${sum.failed} failed${skipped}\n`);
  return sum.failed === 0;
}

async function runStage(name, commands, root) {
  process.stdout.write(`\n> ${name}\n`);
  const startedAt = Date.now();
  let isPassed = true;
  let text = "";
  for (const [program, args] of commands) {
    const outcome = await stream(program, args, root);
    isPassed = isPassed && outcome.code === 0;
    text += outcome.text;
  }
  const counts =
    name === "test" ? testCounts(text, isPassed) : { passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1, skipped: 0 };
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`< ${name} ${isPassed ? "passed" : "failed"} after ${seconds} s\n`);
  return counts;
}

/** A test run that fails without a failed test, such as one that could not start, counts as one failure. */
function testCounts(text, isPassed) {
  const match = [...text.matchAll(CLOSING_LINE)].pop();
  const [passed, failed, skipped] = match ? match.slice(1).map((count) => Number(count || 0)) : [0, 0, 0];
  return { passed, failed: isPassed ? failed : Math.max(failed, 1), skipped };
}

/** Prints what the program prints, in the order it comes, and keeps it. */
function stream(program, args, root) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });
    let text = "";
    const pass = (chunk) => {
      text += chunk;
      process.stdout.write(chunk);
    };
    child.stdout.on("data", pass);
    child.stderr.on("data", pass);
    child.once("error", (error) => {
      process.stdout.write(`Could not run ${program}: ${error.message}\n`);
      resolve({ code: 1, text });
    });
    child.once("close", (code) => resolve({ code, text }));
  });
}
