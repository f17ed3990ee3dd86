import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

/** A process that compiles its sources first. */
const CHILD_LIMIT_MS = 60_000;

describe("OWN-06: a process exits by itself", { timeout: CHILD_LIMIT_MS }, () => {
  test.each([
    ["with an open host and run, idle threads and a parked cell", "idle", "completed 1\ncompleted 2\nwaiting \n"],
    ["with a parked cell whose timers run", "parkedTimers", "waiting \n"],
    ["when an exec that is under way has settled", "exec", "completed 4\n"],
    ["when a wait that is under way has settled", "wait", "waiting \ncompleted 5\n"],
    ["after close, which ends a parked and a running cell", "close", "waiting \nfailed aborted\nclosed\n"],
  ])("%s", async (_name, story, printed) => {
    const host = fileURLToPath(new URL("./fixtures/host.mjs", import.meta.url));
    const args = ["--import", "tsx", "--conditions", "@codemode/source", host, story];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { timeout: CHILD_LIMIT_MS });
    expect({ stdout, stderr }).toEqual({ stdout: printed, stderr: "" });
  });
});
