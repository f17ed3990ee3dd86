import { randomUUID } from "node:crypto";
import { createCodeMode } from "@codemode/core";
import { ownVersion } from "../own-version.js";
import { systemClock } from "./front-clock.js";
import { withFrontDefaults } from "./front-defaults.js";
import type { McpFrontEvent } from "./front-event.js";
import type { HttpFrontOptions, McpFront, ServeMcpOptions, StdioFrontOptions } from "./front-options.js";
import type { FrontHost } from "./front-host.js";
import type { Listener } from "./listener.js";
import { listenOnStdio } from "./stdio-front.js";

/** The front with everything it owns. @throws {CodeModeError} `invalid_argument` */
export async function openFront(options: ServeMcpOptions): Promise<McpFront> {
  const { connection, hooks, approve, transport = { type: "stdio" } } = options;
  const serverInfo = options.serverInfo ?? { name: "codemode", version: await ownVersion() };
  const codeMode = createCodeMode(withFrontDefaults(options.codeMode));
  const host: FrontHost = {
    codeMode,
    serverInfo,
    ...(hooks === undefined ? {} : { hooks }),
    ...(approve === undefined ? {} : { approve }),
    clock: systemClock,
    servers: () => connection.servers,
    newId: randomUUID,
    emit: (event) => tell(options, event),
    reportFault,
  };
  let listener: Listener;
  try {
    listener = await listen(host, transport);
  } catch (error) {
    await codeMode.close();
    throw error;
  }
  const unfollow = connection.onChange(() => listener.sessions().forEach((session) => session.updateServers()));
  let closing: Promise<void> | undefined;
  const close = (reason = "the front was closed"): Promise<void> =>
    (closing ??= (async () => {
      unfollow();
      await listener.close(reason);
      await codeMode.close();
    })());
  const closed = listener.over.then(() => close("the client has gone"));
  return {
    url: listener.url,
    closed,
    sessions: () => listener.sessions().length,
    close: () => close(),
    [Symbol.asyncDispose]: () => close(),
  };
}

async function listen(host: FrontHost, transport: StdioFrontOptions | HttpFrontOptions): Promise<Listener> {
  if (transport.type === "stdio") return listenOnStdio(host, transport);
  const { listenOnHttp } = await import("./http-front.js");
  return listenOnHttp(host, transport);
}

/** An observer that throws changes nothing. */
function tell({ onEvent }: ServeMcpOptions, event: McpFrontEvent): void {
  try {
    onEvent?.(event);
  } catch (error) {
    reportFault(error);
  }
}

function reportFault(fault: unknown): void {
  process.emitWarning(fault instanceof Error ? fault : String(fault));
}
