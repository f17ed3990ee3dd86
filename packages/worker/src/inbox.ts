import { decodeCommand, type PortMessage, type WorkerCommand } from "@codemode/protocol";
import { receiveMessageOnPort, type MessagePort } from "node:worker_threads";

/** The host's commands in order of arrival. They are trusted: the host wrote them. */
export interface Inbox {
  /** The next command; `stop` once the host's end of the port is gone. */
  next(): Promise<WorkerCommand>;
  /** Whether the host has asked to end that cell. Looks into the port itself, so it works while this thread is busy. */
  hasEnd(cell: number): boolean;
}

/**
 * How long the thread sleeps on its doorbell before it waits in its event loop, in ms. A sleeper wakes in half the time,
 * but does not see the port close, and lets no other work of the thread go on.
 */
const SLEEP_MS = 50;

/** `doorbell`: raised after each message; see `WorkerTask`. */
export function createInbox(port: MessagePort, doorbell: Int32Array): Inbox {
  const commands: WorkerCommand[] = [];
  let rings = 0;
  let isClosed = false;
  let wake = () => {};
  const take = (message: PortMessage) => commands.push(decodeCommand(message));
  port.on("message", (message: PortMessage) => {
    take(message);
    wake();
  });
  port.on("close", () => {
    isClosed = true;
    wake();
  });

  /** A message that comes after the count was read raises it, so no sleep misses one. */
  function drain(): void {
    rings = Atomics.load(doorbell, 0);
    for (;;) {
      const entry = receiveMessageOnPort(port) as { message: PortMessage } | undefined;
      if (entry === undefined) return;
      take(entry.message);
    }
  }

  function sleep(): void {
    drain();
    if (commands.length > 0 || isClosed) return;
    if (Atomics.wait(doorbell, 0, rings, SLEEP_MS) !== "timed-out") drain();
  }

  return {
    async next() {
      if (commands.length === 0 && !isClosed) sleep();
      for (;;) {
        const command = commands.shift();
        if (command !== undefined) return command;
        if (isClosed) return { type: "stop" };
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    hasEnd(cell) {
      if (Atomics.load(doorbell, 0) !== rings) drain();
      return commands.some((command) => command.type === "end" && command.cell === cell);
    },
  };
}
