import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositoryRoot } from "./workspace/source-tree.js";

/** Runs the checks with made-up stages, each a program of one line. Times in the output are replaced by `T`. */
function checked(stages: Record<string, string[]>): { lines: string[]; isInOrder: string } {
  const commands = Object.entries(stages).map(([name, programs]) => [
    name,
    programs.map((text) => ["node", ["-e", text]]),
  ]);
  const program = `
    import { check } from ${JSON.stringify(join(repositoryRoot, "scripts", "check.mjs"))};
    const isInOrder = await check([], ${JSON.stringify(repositoryRoot)}, ${JSON.stringify(Object.fromEntries(commands))});
    process.stderr.write(String(isInOrder));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  return {
    lines: stdout
      .replaceAll(/after [\d.]+ s/g, "after T s")
      .split("\n")
      .filter((line) => line !== ""),
    isInOrder: stderr,
  };
}

describe("the closing line", () => {
  test("sums the tests' own numbers and one for each further stage", () => {
    const stages = { test: [`console.log("7 passed, 0 failed, 2 skipped")`], lint: ["", ""], layers: [""] };
    expect(checked(stages)).toEqual({
      lines: [
        "> test",
        "7 passed, 0 failed, 2 skipped",
        "< test passed after T s",
        "> lint",
        "< lint passed after T s",
        "> layers",
        "< layers passed after T s",
        "9 passed, 0 failed, 2 skipped",
      ],
      isInOrder: "true",
    });
  });

  test("counts a stage as failed when any of its commands fails, and goes on", () => {
    const { lines, isInOrder } = checked({ lint: ["process.exit(3)", ""], layers: [""] });
    expect([lines.at(-1), isInOrder]).toEqual(["1 passed, 1 failed", "false"]);
  });

  test("counts failed tests one by one, and tests that could not run as one failure", () => {
    const failing = checked({ test: [`console.log("5 passed, 2 failed"); process.exitCode = 1`] });
    expect([failing.lines.at(-1), failing.isInOrder]).toEqual(["5 passed, 2 failed", "false"]);
    const broken = checked({ test: [`process.exit(1)`] });
    expect([broken.lines.at(-1), broken.isInOrder]).toEqual(["0 passed, 1 failed", "false"]);
  });
});
