import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CodeModeError } from "@codemode/protocol";
import { isInitializeRequest } from "@modelcontextprotocol/server";
import { createTokenCheck } from "./bearer-token.js";
import type { FrontHost } from "./front-host.js";
import type { HttpFrontOptions } from "./front-options.js";
import { createHostGuard } from "./host-guard.js";
import { resolveHttpOptions, type HttpSetup } from "./http-options.js";
import { createHttpSessions, type HttpSession, type HttpSessions } from "./http-sessions.js";
import type { Listener } from "./listener.js";
import type { IdProblem } from "./request-ids.js";
import { readBody } from "./read-body.js";
import { refuse, type Refusal } from "./refusal.js";
import { sendWebResponse, toWebRequest } from "./web-exchange.js";

/** The one path that is served. */
const PATH = "/mcp";
/** Connections for each session: one stream, and requests beside it. */
const CONNECTIONS_PER_SESSION = 8;

/** Serves clients over streamable HTTP. @throws {CodeModeError} `invalid_argument` */
export async function listenOnHttp(host: FrontHost, options: HttpFrontOptions): Promise<Listener> {
  const setup = resolveHttpOptions(options);
  const guard = createAdmission(setup);
  const sessions = createHttpSessions(host, setup);
  const server = createServer((request, response) => {
    answer(request, response).catch((fault: unknown) => {
      // A client that went while it was served is no fault.
      if (!response.destroyed && !request.destroyed) host.reportFault(fault);
      response.destroy();
    });
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = guard(request) ?? (await serveRequest({ setup, sessions }, { request, response }));
    if (refusal !== undefined) refuse(host, response, refusal);
  }
  server.maxConnections = setup.maxSessions * CONNECTIONS_PER_SESSION;
  const port = await listen(server, setup);
  server.on("error", host.reportFault);
  let closing: Promise<void> | undefined;
  return {
    url: `http://${setup.host.includes(":") ? `[${setup.host}]` : setup.host}:${port}${PATH}`,
    over: new Promise((resolve) => server.once("close", resolve)),
    sessions: sessions.list,
    close: (reason) =>
      (closing ??= (async () => {
        const isClosed = new Promise((resolve) => server.close(resolve));
        await Promise.all(sessions.list().map((session) => session.close(reason)));
        server.closeAllConnections();
        await isClosed;
      })()),
  };
}

async function listen(server: Server, { port, host }: HttpSetup): Promise<number> {
  try {
    server.listen(port, host);
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    const problem = `cannot listen on ${host}, port ${port} (${code}); ${LISTEN_ADVICE[code] ?? "choose another"}`;
    throw new CodeModeError("invalid_argument", `port: ${problem}.`, { path: "port", problem }, { cause: error });
  }
}

const LISTEN_ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: "choose another port, or 0 for any free one",
  EACCES: "choose a port from 1024 on",
  EADDRNOTAVAIL: "choose an address of this machine",
  ENOTFOUND: "choose an address of this machine",
};

/** What is looked at before anything of a request's body is read. */
function createAdmission({ host, token, allowedHosts }: HttpSetup): (request: IncomingMessage) => Refusal | undefined {
  const hosts = createHostGuard(host, allowedHosts);
  const isAuthorized = token === undefined ? () => true : createTokenCheck(token);
  return ({ headers, headersDistinct, method = "", url = "" }) => {
    // Which of them a proxy in front would have looked at cannot be known.
    if ((headersDistinct["host"]?.length ?? 0) > 1)
      return { status: 400, message: "there is more than one Host header" };
    const problem = hosts.problem(headers);
    if (problem !== undefined) return { status: 403, message: problem };
    if (url.replace(/\?.*$/s, "") !== PATH) return { status: 404, message: `only ${PATH} is served here` };
    if (!isAuthorized(headers.authorization)) {
      const isGiven = headers.authorization !== undefined;
      const message = isGiven ? "the bearer token is not the one that is asked for" : "a bearer token is needed";
      return { status: 401, message, headers: { "WWW-Authenticate": "Bearer" } };
    }
    if (["GET", "POST", "DELETE"].includes(method)) return undefined;
    return { status: 405, message: "only GET, POST and DELETE are served", headers: { Allow: "GET, POST, DELETE" } };
  };
}

interface Setting {
  readonly setup: HttpSetup;
  readonly sessions: HttpSessions;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Serves an admitted request to its end, or says why not. */
async function serveRequest(setting: Setting, exchange: Exchange): Promise<Refusal | undefined> {
  const { setup, sessions } = setting;
  const { method, headers } = exchange.request;
  const id = headers["mcp-session-id"];
  const known = typeof id === "string" ? sessions.find(id) : undefined;
  if (id !== undefined && known === undefined) return UNKNOWN_SESSION;
  const leave = known?.enter();
  try {
    const body = method === "POST" ? await readBody(exchange.request, setup.maxBodyBytes) : undefined;
    if (body?.type === "too-large") return tooLarge(setup);
    if (body?.type === "malformed") return MALFORMED;
    if (known === undefined) return await shakeHands(setting, exchange, body?.value);
    const problem = known.admit(body?.value);
    if (problem !== undefined) return ID_REFUSALS[problem];
    await exchangeWith(known, exchange, body?.value);
    return undefined;
  } finally {
    leave?.();
  }
}

async function shakeHands({ sessions }: Setting, exchange: Exchange, body: unknown): Promise<Refusal | undefined> {
  if (!isInitializeRequest(body)) return NO_SESSION;
  const opened = await sessions.open();
  if (opened === undefined) return FULL;
  const leave = opened.enter();
  try {
    await exchangeWith(opened, exchange, body);
    return undefined;
  } finally {
    // A handshake that failed leaves no session behind.
    if (!opened.isReady()) await opened.session.close("its handshake failed");
    leave();
  }
}

async function exchangeWith(session: HttpSession, { request, response }: Exchange, body: unknown): Promise<void> {
  try {
    await sendWebResponse(await session.handle(toWebRequest(request), body), response);
  } finally {
    // The transport drops without a word what belongs to a request that nobody listens to.
    session.leave(body);
  }
}

const UNKNOWN_SESSION: Refusal = {
  status: 404,
  message: "the session is unknown or over; initialize again",
  code: -32001,
};
const NO_SESSION: Refusal = { status: 400, message: "the Mcp-Session-Id header is missing; initialize first" };
const MALFORMED: Refusal = { status: 400, message: "the body is not JSON", code: -32700 };
const ID_REFUSALS: Readonly<Record<IdProblem, Refusal>> = {
  // With no id: the client would take the error for the answer to its first request.
  repeated: { status: 400, message: "a request with this id is under way; the first one goes on", code: -32600 },
  "too-many": { status: 429, message: "too many requests are under way; wait for answers" },
};
const FULL: Refusal = {
  status: 503,
  message: "too many sessions are open; try again later",
  headers: { "Retry-After": "30" },
};

function tooLarge({ maxBodyBytes }: HttpSetup): Refusal {
  return { status: 413, message: `the body is larger than ${maxBodyBytes} bytes`, headers: { Connection: "close" } };
}
