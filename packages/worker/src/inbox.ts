import type { WorkerCommand } from "@codemode/protocol";
import { receiveMessageOnPort, type MessagePort } from "node:worker_threads";

/** The host's commands in order of arrival. They are trusted: the host wrote them. */
export interface Inbox {
  /** The next command; `stop` once the host's end of the port is gone. */
  next(): Promise<WorkerCommand>;
  /** Whether the host has asked to end that cell. Looks into the port itself, so it works while this thread is busy. */
  hasEnd(cell: number): boolean;
}

export function createInbox(port: MessagePort): Inbox {
  const commands: WorkerCommand[] = [];
  let isClosed = false;
  let wake = () => {};
  port.on("message", (command: WorkerCommand) => {
    commands.push(command);
    wake();
  });
  port.on("close", () => {
    isClosed = true;
    wake();
  });
  return {
    async next() {
      for (;;) {
        const command = commands.shift();
        if (command !== undefined) return command;
        if (isClosed) return { type: "stop" };
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    hasEnd(cell) {
      for (;;) {
        const entry = receiveMessageOnPort(port) as { message: WorkerCommand } | undefined;
        if (entry === undefined) break;
        commands.push(entry.message);
      }
      return commands.some((command) => command.type === "end" && command.cell === cell);
    },
  };
}
