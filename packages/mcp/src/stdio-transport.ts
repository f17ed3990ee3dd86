import { setTimeout as delay } from "node:timers/promises";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { decodeMessages } from "./json-rpc.js";
import { createLineReader, type MessageLine } from "./message-lines.js";
import { oneLine } from "./one-line.js";
import { createPacedQueue } from "./paced-queue.js";
import type { SecretMask } from "./secret-mask.js";
import type { ServerProcess } from "./server-process.js";

/** Time from a broken pipe to the report of the process's end, at most, in ms. */
const END_PATIENCE_MS = 500;
/** Answers that a server has not read, in bytes; beyond, what it asks is dropped. */
const MAX_UNREAD_ANSWER_BYTES = 1024 * 1024;

export interface StdioTransportOptions {
  readonly maxMessageBytes: number;
  /** For what the server prints. */
  readonly mask: SecretMask;
}

/** A transport that remembers what the server printed that was no message. */
export interface StdioTransport extends Transport {
  /** The first line of output that held no message, on one line; undefined when there was none. */
  strayOutput(): string | undefined;
}

/**
 * Speaks MCP with a running server. The client's own stdio transport is not used because its reading time grows with
 * the square of a message's size (8 s for 32 MB, on the host's thread) and because it ends a server for one message
 * that is too large.
 */
export function createStdioTransport(
  server: ServerProcess,
  { maxMessageBytes, mask }: StdioTransportOptions,
): StdioTransport {
  const reader = createLineReader(maxMessageBytes);
  let stray: string | undefined;
  let unreadBytes = 0;

  const queue = createPacedQueue<JSONRPCMessage | undefined>({
    deliver(message) {
      if (message === undefined) return;
      const asks = "method" in message && "id" in message;
      if (!asks || unreadBytes <= MAX_UNREAD_ANSWER_BYTES) transport.onmessage?.(message);
    },
    onFull: () => void server.stdout.pause(),
    onEmpty: () => void server.stdout.resume(),
    now: () => performance.now(),
  });

  const transport: StdioTransport = {
    async start() {
      server.stdout.on("data", (chunk: Buffer) => queue.push(messagesOf(reader.push(chunk))));
      void server.ended.then(() => queue.drained()).then(() => transport.onclose?.());
    },
    async send(message) {
      const line = `${JSON.stringify(message)}\n`;
      const isAnswer = !("method" in message);
      if (isAnswer) unreadBytes += line.length;
      await write(server, line);
      if (isAnswer) unreadBytes -= line.length;
    },
    close: () => server.end(),
    strayOutput: () => stray,
  };

  /** Lines are parsed as their messages are taken; one without any takes time as well, and is undefined. */
  function* messagesOf(lines: readonly MessageLine[]): Generator<JSONRPCMessage | undefined> {
    for (const line of lines) {
      const messages = decodeMessages(line);
      yield* messages;
      if (messages.length > 0) continue;
      if (line.type === "line" && line.text.trim() !== "") stray ??= oneLine(mask(line.text), 120);
      yield undefined;
    }
  }

  return transport;
}

/** A write that fails mostly means that the server just died: its end, which says more, is waited for first. */
function write(server: ServerProcess, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.stdin.write(line, (error) => {
      if (error) void Promise.race([server.ended, delay(END_PATIENCE_MS)]).then(() => reject(error));
      else resolve();
    });
  });
}
