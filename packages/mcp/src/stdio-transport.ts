import { setTimeout as delay } from "node:timers/promises";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { decodeMessages } from "./json-rpc.js";
import { createLineReader, type MessageLine } from "./message-lines.js";
import { oneLine } from "./one-line.js";
import type { ServerProcess } from "./server-process.js";

/** Time from a broken pipe to the report of the process's end, at most, in ms. */
const END_PATIENCE_MS = 500;

/** A transport that remembers what the server printed that was no message. */
export interface StdioTransport extends Transport {
  /** The first line of output that was not JSON, on one line; undefined when there was none. */
  strayOutput(): string | undefined;
}

/**
 * Speaks MCP with a running server. The client's own stdio transport is not used because its reading time grows with
 * the square of a message's size (8 s for 32 MB, on the host's thread) and because it ends a server for one message
 * that is too large.
 */
export function createStdioTransport(server: ServerProcess, maxMessageBytes: number): StdioTransport {
  const reader = createLineReader(maxMessageBytes);
  let stray: string | undefined;

  const transport: StdioTransport = {
    async start() {
      server.stdout.on("data", (chunk: Buffer) => reader.push(chunk).forEach(receive));
      void server.ended.then(() => transport.onclose?.());
    },
    send: (message) => write(server, message),
    close: () => server.end(),
    strayOutput: () => stray,
  };

  function receive(line: MessageLine): void {
    const messages = decodeMessages(line);
    for (const message of messages) transport.onmessage?.(message);
    if (messages.length === 0 && line.type === "line" && line.text.trim() !== "") stray ??= oneLine(line.text, 120);
  }

  return transport;
}

/** A write that fails mostly means that the server just died: its end, which says more, is waited for first. */
function write(server: ServerProcess, message: JSONRPCMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    server.stdin.write(`${JSON.stringify(message)}\n`, (error) => {
      if (error) void Promise.race([server.ended, delay(END_PATIENCE_MS)]).then(() => reject(error));
      else resolve();
    });
  });
}
