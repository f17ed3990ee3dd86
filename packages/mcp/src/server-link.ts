import type { Transport } from "@modelcontextprotocol/client";
import { oneLine } from "./one-line.js";
import type { ProcessEnd, ServerProcess } from "./server-process.js";
import { createStdioTransport } from "./stdio-transport.js";
import { lastWords } from "./tail-buffer.js";

/** How one server is reached. Owned: `close` it. */
export interface ServerLink {
  readonly transport: Transport;
  /** Undefined when the server is no process of ours, or a gone one. */
  processId(): number | undefined;
  /** How its process ended. */
  end(): ProcessEnd | undefined;
  /** What the server showed of itself that may explain a failure; one line, empty when nothing. */
  hints(): string;
  /** Settles when nothing of it is left here. */
  close(): Promise<void>;
}

/** The link to a process of ours. */
export function createStdioLink(server: ServerProcess, maxMessageBytes: number): ServerLink {
  const transport = createStdioTransport(server, maxMessageBytes);
  let end: ProcessEnd | undefined;
  void server.ended.then((how) => (end = how));
  return {
    transport,
    processId: () => (end === undefined ? server.processId : undefined),
    end: () => end,
    hints() {
      const words = lastWords(server.stderrTail());
      if (words !== "") return `its last words: ${oneLine(words)}`;
      const stray = transport.strayOutput();
      return stray === undefined ? "" : `it printed ${JSON.stringify(stray)} where messages belong`;
    },
    close: () => server.end(),
  };
}
