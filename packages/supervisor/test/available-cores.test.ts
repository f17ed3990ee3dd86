import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { execFile } from "node:child_process";
import { expect, test, vi } from "vitest";
import { completed, createPool, fixture, runCell } from "./pool.js";

vi.mock("node:os", async (original) => ({ ...(await original<object>()), availableParallelism: () => 3 }));

/** The defaults of a host that says nothing. */
const UNSAID = { maxWorkers: undefined as never };

test("a pool nobody sized starts as many workers as cores are available, and no more", async () => {
  const { pool, events } = createPool(UNSAID);
  const cells = Array.from({ length: 7 }, () => runCell(pool, "slow 50"));
  expect(await Promise.all(cells)).toEqual(cells.map(() => completed('"slow"')));
  expect(events.filter(({ type }) => type === "worker-start")).toHaveLength(3);
});

const taskset = "/usr/bin/taskset";
/** One core, and a process that compiles its sources first. */
const CHILD_LIMIT_MS = 90_000;

test.skipIf(!existsSync(taskset))(
  "a process confined to one core has one worker",
  { timeout: CHILD_LIMIT_MS },
  async () => {
    const host = fileURLToPath(fixture("host.mjs"));
    const node = [process.execPath, "--import", "tsx", "--conditions", "@codemode/source", host, "cores"];
    const { stdout } = await promisify(execFile)(taskset, ["--cpu-list", "0", ...node], { timeout: CHILD_LIMIT_MS });
    expect(stdout).toBe("1 worker\n");
  },
);
