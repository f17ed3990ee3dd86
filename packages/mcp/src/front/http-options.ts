import { CodeModeError } from "@codemode/protocol";
import type { HttpFrontOptions } from "./front-options.js";
import { isLoopback } from "./host-guard.js";

/** The options, complete. */
export interface HttpSetup {
  readonly port: number;
  readonly host: string;
  readonly token: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly maxSessions: number;
  readonly idleTimeoutMs: number;
  readonly handshakeTimeoutMs: number;
  readonly maxBodyBytes: number;
}

/** @throws {CodeModeError} `invalid_argument` */
export function resolveHttpOptions(options: HttpFrontOptions): HttpSetup {
  const { host = "127.0.0.1", token, allowedHosts = [] } = options;
  if (token === undefined && !isLoopback(host)) {
    const problem = `${JSON.stringify(host)} can be reached from other machines, so a token is needed; give one, or listen on 127.0.0.1`;
    throw new CodeModeError("invalid_argument", `host: ${problem}.`, { path: "host", problem });
  }
  for (const name of allowedHosts) checkHostName(name);
  return {
    host,
    token,
    allowedHosts,
    port: whole("port", options.port, { min: 0, max: 65_535 }),
    maxSessions: whole("maxSessions", options.maxSessions ?? 64, { min: 1, max: 10_000 }),
    idleTimeoutMs: whole("idleTimeoutMs", options.idleTimeoutMs ?? 600_000, { min: 100, max: 86_400_000 }),
    handshakeTimeoutMs: whole("handshakeTimeoutMs", options.handshakeTimeoutMs ?? 30_000, { min: 100, max: 600_000 }),
    maxBodyBytes: whole("maxBodyBytes", options.maxBodyBytes ?? 4 * 1024 * 1024, { min: 1024, max: 64 * 1024 * 1024 }),
  };
}

/** Names only: what else would never be equal to the one in a request. */
function checkHostName(name: string): void {
  if (/^[\w.-]+$/.test(name)) return;
  const problem = `holds ${JSON.stringify(name)}, which is no host name; give names without scheme, port and path`;
  throw new CodeModeError("invalid_argument", `allowedHosts ${problem}.`, { path: "allowedHosts", problem });
}

function whole(path: string, value: number, { min, max }: { readonly min: number; readonly max: number }): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  const problem = `must be a whole number from ${min} to ${max}`;
  throw new CodeModeError("invalid_argument", `${path} ${problem}.`, { path, problem });
}
