import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Message {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly name?: string };
}

/** An HTTP server with sessions that a test makes it forget. Owned: dispose it. */
export interface SessionServer extends AsyncDisposable {
  readonly url: string;
  /** `session method` of what was answered or held, `session refused method` of what was turned away. */
  readonly log: string[];
  /** Forgets every session. Streams that are open stay so. */
  forget(): void;
  /** Answers the calls of `hold` that are under way. */
  release(): void;
  /** Takes no connection any more, until `open`. */
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Sessions end with their handshake. */
  isForgetful: boolean;
  /** Handshakes are refused. */
  isBusy: boolean;
}

/** `refusal` is its status for a session that it does not know. */
export async function createSessionServer(refusal: 400 | 404): Promise<SessionServer> {
  const sessions = new Set<string>();
  const held: (() => void)[] = [];
  let opened = 0;
  let server: Server;
  let port = 0;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = request.headers["mcp-session-id"] as string | undefined;
    if (request.method === "DELETE") it.log.push(`${String(session)} DELETE`);
    if (request.method !== "POST") return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message = JSON.parse(Buffer.concat(chunks).toString()) as Message;
    if (message.method === "initialize" && it.isBusy) return void response.writeHead(503).end("busy");
    if (message.method === "initialize") {
      answer(response, message, openSession());
      return;
    }
    if (session === undefined || !sessions.has(session)) {
      it.log.push(`${String(session)} refused ${message.method}`);
      return void response.writeHead(refusal).end("no such session");
    }
    it.log.push(`${session} ${message.method}`);
    if (it.isForgetful && message.method === "notifications/initialized") sessions.delete(session);
    if (message.id === undefined) return void response.writeHead(202).end();
    if (message.params?.name === "bad") return void response.writeHead(400).end("a bad request");
    if (message.params?.name === "hold") held.push(() => answer(response, message, session));
    else answer(response, message, session);
  }

  function openSession(): string {
    opened += 1;
    sessions.add(`s${opened}`);
    it.log.push(`s${opened} initialize`);
    return `s${opened}`;
  }

  async function open(): Promise<void> {
    server = createServer((request, response) => void respond(request, response));
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    ({ port } = server.address() as AddressInfo);
  }

  async function shut(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  const it = {
    log: [] as string[],
    isForgetful: false,
    isBusy: false,
    url: "",
    forget: () => sessions.clear(),
    release: () => held.splice(0).forEach((release) => release()),
    shut,
    open,
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await shut();
    },
  };
  await open();
  it.url = `http://127.0.0.1:${port}/mcp`;
  return it;
}

function answer(response: ServerResponse, { id, method }: Message, session: string): void {
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "t", version: "1" },
    },
    "tools/list": { tools: ["session", "hold", "bad"].map((name) => ({ name, inputSchema: { type: "object" } })) },
    "tools/call": { content: [{ type: "text", text: session }] },
    ping: {},
  };
  response
    .writeHead(200, { "content-type": "application/json", "mcp-session-id": session })
    .end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }));
}
