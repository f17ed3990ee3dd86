import { isIP } from "node:net";

/** Names of this machine as browsers and clients write them. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Whether an address that a server listens on can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

export interface HostGuard {
  /** Why a request with these headers is refused; undefined when it is not. */
  problem(headers: { readonly host?: string | undefined; readonly origin?: string | undefined }): string | undefined;
}

/**
 * Keeps web pages out: a page whose name an attacker lets point to this machine sends its own name as `Host`, and every
 * page sends its `Origin`. On a loopback address only loopback names pass. Elsewhere addresses pass too, since no
 * attacker can let an address point anywhere, and names only when they are `allowedHosts`.
 */
export function createHostGuard(host: string, allowedHosts: readonly string[] = []): HostGuard {
  const names = new Set([...LOOPBACK, ...allowedHosts, host].map((name) => bracketed(name.toLowerCase())));
  const areAddressesAllowed = !isLoopback(host);
  const isAllowed = (name: string): boolean =>
    names.has(name) || (areAddressesAllowed && isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0);
  return {
    problem({ host: given, origin }) {
      const name = given === undefined ? undefined : hostnameOf(`http://${given}`);
      if (name === undefined || !isAllowed(name)) return "the Host header names no host that this server answers for";
      if (origin === undefined) return undefined;
      const from = hostnameOf(origin);
      return from !== undefined && isAllowed(from) ? undefined : "requests of this Origin are refused";
    },
  };
}

/** Lower case, addresses of version 6 in brackets; undefined for what is no http URL. */
function hostnameOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname } = new URL(url);
  return (protocol === "http:" || protocol === "https:") && hostname !== "" ? hostname : undefined;
}

function bracketed(name: string): string {
  return isIP(name) === 6 ? `[${name}]` : name;
}
