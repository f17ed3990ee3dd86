import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The program of a published server, as its manifest names it; the first one where it names several. */
export function publishedServer(name: string): string {
  // Some manifests are kept out of their package's exports.
  const folder = fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url));
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    bin: string | Record<string, string>;
  };
  const program = typeof bin === "string" ? bin : Object.values(bin)[0];
  if (program === undefined) throw new Error(`${name} has no program.`);
  return join(folder, program);
}

export interface EverythingOverHttp {
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcess;
}

/** The published `everything` server over streamable HTTP, ready for requests. Owned: kill the child. */
export async function openEverythingOverHttp(at?: number): Promise<EverythingOverHttp> {
  const port = at ?? (await freePort());
  const child = spawn(
    process.execPath,
    [publishedServer("@modelcontextprotocol/server-everything"), "streamableHttp"],
    {
      env: { PATH: process.env["PATH"] ?? "", PORT: String(port) },
      stdio: "ignore",
    },
  );
  const url = `http://127.0.0.1:${port}/mcp`;
  while (!(await answers(url))) await delay(50);
  return { url, port, child };
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
