import { expect, test } from "vitest";
import { CallAbort } from "./call-abort.js";
import { createSequenceGate } from "./sequence-gate.js";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function visits() {
  const gate = createSequenceGate();
  const log: string[] = [];
  const leaves = new Map<string, () => void>();
  return {
    log,
    enter(name: string, mode: "parallel" | "sequential", abort = new CallAbort()): void {
      gate.enter(mode, abort).then(
        (leave) => {
          log.push(`+${name}`);
          leaves.set(name, leave);
        },
        (error: unknown) => log.push(`!${name} ${(error as Error).message}`),
      );
    },
    async leave(name: string): Promise<void> {
      log.push(`-${name}`);
      leaves.get(name)?.();
      await settled();
    },
  };
}

test("parallel calls overlap", async () => {
  const { enter, log } = visits();
  enter("a", "parallel");
  enter("b", "parallel");
  await settled();
  expect(log).toEqual(["+a", "+b"]);
});

test("OUTC-04: a sequential call overlaps with nothing, and nothing overtakes it", async () => {
  const { enter, leave, log } = visits();
  enter("a", "parallel");
  enter("write", "sequential");
  enter("b", "parallel");
  enter("c", "parallel");
  await settled();
  await leave("a");
  await leave("write");
  await leave("b");
  expect(log).toEqual(["+a", "-a", "+write", "-write", "+b", "+c", "-b"]);
});

test("an aborted visitor leaves the queue and lets the next ones in", async () => {
  const { enter, log } = visits();
  const abort = new CallAbort();
  enter("a", "parallel");
  enter("write", "sequential", abort);
  enter("b", "parallel");
  await settled();
  abort.abort(new Error("stopped"));
  await settled();
  expect(log).toEqual(["+a", "!write stopped", "+b"]);
});

test("an aborted call is not admitted", async () => {
  const { enter, log } = visits();
  const abort = new CallAbort();
  abort.abort(new Error("stopped"));
  enter("a", "parallel", abort);
  await settled();
  expect(log).toEqual(["!a stopped"]);
});

test("OUTC-04: an abort ends the visit of a call that never leaves by itself, once", async () => {
  for (const mode of ["parallel", "sequential"] as const) {
    const { enter, leave, log } = visits();
    const abort = new CallAbort();
    enter("stuck", mode, abort);
    enter("write", "sequential");
    enter("next", "sequential");
    await settled();
    abort.abort(new Error("stopped"));
    await settled();
    expect(log).toEqual(["+stuck", "+write"]);
    await leave("stuck");
    expect(log).toEqual(["+stuck", "+write", "-stuck"]);
    await leave("write");
    expect(log).toEqual(["+stuck", "+write", "-stuck", "-write", "+next"]);
  }
});
