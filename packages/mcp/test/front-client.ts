import type { Readable, Writable } from "node:stream";
import { PassThrough } from "node:stream";
import {
  Client,
  type CallToolResult,
  type ClientOptions,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import type { CodeModeEvent } from "@codemode/core";
import { expect } from "vitest";
import { createLineReader } from "../src/message-lines.js";
import {
  connectMcpServers,
  serveMcp,
  type McpConnection,
  type McpFrontEvent,
  type ServeMcpOptions,
} from "../src/index.js";
import { fixturePath } from "./connect-fixture.js";

/** Two servers of this package's fixtures. */
export function connectTwoServers(): Promise<McpConnection> {
  const fixture = (name: string) => ({ command: process.execPath, args: [fixturePath(name)] });
  return connectMcpServers({ mcpServers: { slow: fixture("slow-tools.mjs"), changing: fixture("changes-tools.mjs") } });
}

/** A first cell waits for its worker thread, and this machine may have other things to do. */
export const PATIENT = { timeoutMs: 60_000 };

/** The result a cell came to, as the model reads it. */
export function resultOf(answer: unknown): Record<string, unknown> {
  const [block] = (answer as CallToolResult).content;
  if (block?.type !== "text") throw new Error(`No text: ${JSON.stringify(answer)}`);
  return JSON.parse(block.text) as Record<string, unknown>;
}

/** Every cell that was started has ended, and every thread has gone. */
export function expectAllEnded(events: readonly CodeModeEvent[], { cells }: { readonly cells: number }): void {
  const count = (type: CodeModeEvent["type"]): number => events.filter((event) => event.type === type).length;
  expect({ started: count("cell-start"), ended: count("cell-end") }).toEqual({ started: cells, ended: cells });
  expect(count("worker-exit")).toBe(count("worker-start"));
}

export interface StdioFront {
  readonly client: Client;
  readonly events: readonly McpFrontEvent[];
  readonly front: Awaited<ReturnType<typeof serveMcp>>;
  /** Writes a line past the client. */
  write(line: string): void;
  /** Ends the front's input, as the end of the client's process does. */
  vanish(): void;
}

/** A front over a pair of streams, and an official client on the other side of them. */
export async function openStdioFront(
  options: Omit<ServeMcpOptions, "transport">,
  clientOptions: ClientOptions = {},
): Promise<StdioFront> {
  const input = new PassThrough();
  const output = new PassThrough();
  const events: McpFrontEvent[] = [];
  const front = await serveMcp({
    ...options,
    codeMode: { config: PATIENT, ...options.codeMode },
    transport: { type: "stdio", input, output },
    onEvent: (event) => events.push(event),
  });
  const client = new Client({ name: "tester", version: "1.0.0" }, clientOptions);
  await client.connect(overStreams(output, input));
  return { client, events, front, write: (line) => void input.write(`${line}\n`), vanish: () => void input.end() };
}

function overStreams(input: Readable, output: Writable): Transport {
  const reader = createLineReader(1024 * 1024);
  const transport: Transport = {
    async start() {
      input.on("data", (chunk: Buffer) => {
        for (const line of reader.push(chunk)) {
          if (line.type === "line") transport.onmessage?.(JSON.parse(line.text) as JSONRPCMessage);
        }
      });
      input.on("end", () => transport.onclose?.());
    },
    async send(message) {
      output.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      output.end();
    },
  };
  return transport;
}
