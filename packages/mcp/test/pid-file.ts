import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Where fixtures leave the ids of their processes. Owned: dispose it. */
export interface PidFile extends AsyncDisposable {
  readonly path: string;
  /** All so far, once there are `count`. */
  pids(count: number): Promise<number[]>;
}

export async function createPidFile(): Promise<PidFile> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-pids-"));
  const path = join(folder, "pids");
  return {
    path,
    async pids(count) {
      for (;;) {
        const text = existsSync(path) ? await readFile(path, "utf8") : "";
        const found = text
          .split("\n")
          .filter((line) => line !== "")
          .map(Number);
        if (found.length >= count) return found;
        await delay(20);
      }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/** Zombies count as gone: they only wait for their parent to ask. */
export async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (stat !== undefined) return !/\) Z /.test(stat);
  try {
    process.kill(pid, 0);
    return !existsSync("/proc/self");
  } catch {
    return false;
  }
}
