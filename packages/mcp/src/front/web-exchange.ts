// The protocol's own transport speaks in the web's Request and Response; Node's server in streams.
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";

/** The request without its body, which is handed over parsed. */
export function toWebRequest({ method = "GET", url = "/", headers }: IncomingMessage): Request {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of [value ?? []].flat()) given.append(name, one);
  }
  return new Request(new URL(url, "http://localhost"), { method, headers: given });
}

/** Sends a response; a stream as it comes, until its end or until the client goes. */
export async function sendWebResponse(response: Response, to: ServerResponse): Promise<void> {
  to.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    to.end();
    return;
  }
  to.flushHeaders();
  const reader = response.body.getReader();
  // Its end was told before anybody listened.
  if (to.destroyed) return reader.cancel();
  const gone = new AbortController();
  to.once("close", () => {
    gone.abort();
    // Lets a read that is under way end.
    reader.cancel().catch(() => {});
  });
  for (;;) {
    const next = await reader.read();
    if (next.done) break;
    if (!to.write(next.value)) await once(to, "drain", { signal: gone.signal }).catch(() => {});
  }
  to.end();
}
