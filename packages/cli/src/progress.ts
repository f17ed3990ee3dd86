import { visibleText } from "./terminal-text.js";
import { isTerminal, type ProgramIo, type TextOutput } from "./program-io.js";

/** One line on standard error that says what is going on. Shows nothing where that is no terminal. */
export interface Progress {
  show(text: string): void;
  /** Takes the line away; before anything else is written. */
  clear(): void;
  /** Writes something else, and shows the line again below it. */
  interrupt(write: () => void): void;
}

const REPAINT_MS = 250;
const CLEAR_LINE = "\r\u001b[2K";

export function createProgress(io: Pick<ProgramIo, "stderr" | "env" | "now">): Progress {
  if (!isTerminal(io.stderr, io.env)) {
    return { show: () => {}, clear: () => {}, interrupt: (write) => write() };
  }
  const startedAt = io.now();
  let text: string | undefined;
  let repaint: NodeJS.Timeout | undefined;

  function paint(): void {
    if (text === undefined) return;
    const line = `${visibleText(text)} (${Math.floor((io.now() - startedAt) / 1000)} s)`;
    io.stderr.write(`${CLEAR_LINE}${line.slice(0, widthOf(io.stderr) - 1)}`);
  }

  return {
    show(next) {
      text = next;
      repaint ??= setInterval(paint, REPAINT_MS).unref();
      paint();
    },
    clear() {
      if (text === undefined) return;
      text = undefined;
      clearInterval(repaint);
      repaint = undefined;
      io.stderr.write(CLEAR_LINE);
    },
    interrupt(write) {
      if (text !== undefined) io.stderr.write(CLEAR_LINE);
      write();
      paint();
    },
  };
}

/** Follows the nested calls of a cell and says what is under way. */
export function describeCalls(
  progress: Pick<Progress, "show">,
): (event: { type: string; callId?: string; name?: string }) => void {
  const underWay = new Map<string, string>();
  let done = 0;
  return ({ type, callId, name }) => {
    if (callId === undefined || name === undefined) return;
    if (type === "call-start") underWay.set(callId, name);
    else if (underWay.delete(callId)) done += 1;
    const names = [...underWay.values()];
    const open = names.length === 0 ? "" : `, ${names.length} under way: ${names.join(", ")}`;
    progress.show(`running: ${done === 1 ? "1 call" : `${done} calls`} done${open}`);
  };
}

/** Columns of a terminal; some say 0 when they do not know. */
function widthOf({ columns = 0 }: TextOutput): number {
  return columns > 0 ? columns : 80;
}
