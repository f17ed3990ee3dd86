import { execFileSync } from "node:child_process";

/** Part of every POSIX system. */
const COMMAND = "mkfifo";

/** Makes a pipe with a name: opening it for reading lasts until somebody writes to it. */
export function makePipe(path: string): void {
  execFileSync(COMMAND, [path]);
}
