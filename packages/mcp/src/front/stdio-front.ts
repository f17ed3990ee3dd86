import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { FrontHost } from "./front-host.js";
import { openFrontSession, type FrontSession } from "./front-session.js";
import type { StdioFrontOptions } from "./front-options.js";
import type { Listener } from "./listener.js";

/** Serves one client on a pair of streams. Settles at once: what the client wrote meanwhile waits in the stream. */
export async function listenOnStdio(host: FrontHost, { input, output }: StdioFrontOptions): Promise<Listener> {
  // A probe of the protocol's version may open a session that the client then leaves for another.
  const sessions = new Set<FrontSession>();
  let opened = 0;
  const transport = new StdioServerTransport(input, output);
  const handle = serveStdio(
    ({ era }) => {
      const session = openFrontSession(host, {
        number: (opened += 1),
        tasks: era === "legacy" ? "core" : "extension",
        onClosed: () => sessions.delete(session),
      });
      sessions.add(session);
      return session.server;
    },
    { transport, onerror: (error) => host.emit({ type: "refused", reason: describeError(error) }) },
  );
  const over = new Promise<void>((resolve) => {
    const next = transport.onclose;
    transport.onclose = () => {
      next?.();
      resolve();
    };
  });
  return {
    url: undefined,
    over,
    sessions: () => [...sessions],
    async close(reason) {
      await Promise.all([...sessions].map((session) => session.close(reason)));
      await handle.close();
    },
  };
}

/** By its kind only: the texts of such errors quote the message, and with it a program or its input. */
function describeError({ name }: Error): string {
  return `a message could not be read or sent (${name})`;
}
