import type { Transport } from "@modelcontextprotocol/client";
import { oneLine } from "./one-line.js";
import type { ProcessEnd, ServerProcess } from "./server-process.js";
import { createStdioTransport, type StdioTransportOptions } from "./stdio-transport.js";
import { lastWords } from "./tail-buffer.js";

/** How one server is reached. Owned: `close` it. */
export interface ServerLink {
  readonly transport: Transport;
  /** Undefined when the server is no process of ours, or a gone one. */
  processId(): number | undefined;
  /** Why nothing can be asked over it any more, as a clause; undefined while it can. */
  loss(): string | undefined;
  /** Settles once there is a loss. Never rejects. */
  readonly lost: Promise<void>;
  /** True as soon as nothing that is sent can arrive any more: `lost` settles soon then. */
  isGoing(): boolean;
  /** What the server showed of itself that may explain a failure; one line, empty when nothing. */
  hints(): string;
  /** Settles when nothing of it is left here. */
  close(): Promise<void>;
}

/** The link to a process of ours. */
export function createStdioLink(server: ServerProcess, options: StdioTransportOptions): ServerLink {
  const transport = createStdioTransport(server, options);
  let loss: string | undefined;
  const lost = server.ended.then((end) => void (loss = describeEnd(end)));
  return {
    transport,
    processId: () => (server.hasExited() ? undefined : server.processId),
    loss: () => loss,
    lost,
    isGoing: () => loss === undefined && server.hasExited(),
    hints() {
      const words = options.mask(lastWords(server.stderrTail()));
      if (words !== "") return `its last words: ${oneLine(words)}`;
      const stray = transport.strayOutput();
      return stray === undefined ? "" : `it printed ${JSON.stringify(stray)} where messages belong`;
    },
    close: () => server.end(),
  };
}

/** How a process ended, as a clause. */
function describeEnd({ code, signal }: ProcessEnd): string {
  return signal === null ? `it exited with code ${String(code)}` : `it was ended by ${signal}`;
}
