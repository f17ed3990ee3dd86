import { CodeModeError, describeValue } from "@codemode/protocol";
import { isTimerMs, TIMER_RANGE } from "./timer-range.js";

/** Times of one server, each from 1 to 2^31 - 1. They go before the options of `connectMcpServers` of the same name. */
export interface ServerTimes {
  /** For start and handshake, and at first for listing, in ms. */
  readonly startTimeoutMs?: number;
  /** For one request for resources or prompts, and for listing tools anew, in ms. */
  readonly requestTimeoutMs?: number;
  /** For one tool call without an answer or a word of progress, in ms. Default: the call's signal alone ends it. */
  readonly callTimeoutMs?: number;
}

/** A server that is started as a child process and spoken to over its standard input and output. */
export interface StdioServerConfig extends ServerTimes {
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to the small set of inherited variables that are safe for every server. Values are taken literally. */
  readonly env?: Readonly<Record<string, string>>;
  /** Relative paths count from the working directory of this process. Default: that directory. */
  readonly cwd?: string;
}

/** A server reached over HTTP. */
export interface HttpServerConfig extends ServerTimes {
  /** `http:` or `https:`. */
  readonly url: string;
  /** Sent with every request. Values are taken literally. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type McpServerConfig = StdioServerConfig | HttpServerConfig;

/** Content of the `mcpServers` file that MCP clients share. The order of the servers counts. */
export interface McpConfig {
  readonly mcpServers: Readonly<Record<string, McpServerConfig>>;
}

/**
 * Checks the parsed content of an `mcpServers` file. Servers marked `"disabled": true` are left out; other fields that
 * only some clients use are ignored, `timeout` among them, which is seconds for one client and milliseconds for another.
 *
 * @param origin What the content is called in the message, such as the file's path. Default "The MCP configuration".
 * @throws {CodeModeError} `invalid_argument`; `details.path` names the offending place.
 */
export function parseMcpConfig(content: unknown, origin = "The MCP configuration"): McpConfig {
  const check = new ConfigCheck(origin);
  const entries = Object.entries(check.object(check.object(content, "")["mcpServers"], "mcpServers"));
  const servers = entries.flatMap(([name, entry]): [string, McpServerConfig][] => {
    const path = pathOf("mcpServers", name);
    if (name.trim() === "") check.fail(path, "has an empty name; give the server a name");
    const fields = check.object(entry, path);
    return fields["disabled"] === true ? [] : [[name, parseServer(check, fields, path)]];
  });
  return { mcpServers: Object.fromEntries(servers) };
}

function parseServer(check: ConfigCheck, fields: Record<string, unknown>, path: string): McpServerConfig {
  const { command, args, env, cwd } = fields;
  if (command === undefined && fields["url"] !== undefined) return parseHttpServer(check, fields, path);
  if (command === undefined) check.fail(path, 'needs a "command" (or a "url")');
  return {
    command: check.text(command, `${path}.command`),
    ...(isGiven(args) ? { args: check.list(args, `${path}.args`) } : {}),
    ...(isGiven(env) ? { env: check.record(env, `${path}.env`) } : {}),
    ...(isGiven(cwd) ? { cwd: check.text(cwd, `${path}.cwd`) } : {}),
    ...parseTimes(check, fields, path),
  };
}

function parseHttpServer(check: ConfigCheck, fields: Record<string, unknown>, path: string): HttpServerConfig {
  const { url, headers, type } = fields;
  const text = check.text(url, `${path}.url`);
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    check.fail(`${path}.url`, "must be an http or https address");
  const { username, password } = new URL(text);
  if (username !== "" || password !== "") {
    check.fail(`${path}.url`, 'must hold no user name or password; send them by an "Authorization" header');
  }
  if (type === "sse")
    check.fail(`${path}.type`, 'must be "http": servers of the older sse transport are not supported');
  return {
    url: text,
    ...(isGiven(headers) ? { headers: check.headers(headers, `${path}.headers`) } : {}),
    ...parseTimes(check, fields, path),
  };
}

const TIMES = ["startTimeoutMs", "requestTimeoutMs", "callTimeoutMs"] as const;

function parseTimes(check: ConfigCheck, fields: Record<string, unknown>, path: string): ServerTimes {
  const given = TIMES.filter((name) => isGiven(fields[name]));
  return Object.fromEntries(given.map((name) => [name, check.time(fields[name], `${path}.${name}`)]));
}

/** Some clients write null for a field they leave open. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isHeader(name: string, value: string): boolean {
  try {
    new Headers([[name, value]]);
    return true;
  } catch {
    return false;
  }
}

/** Path of a member, as JavaScript would write it. */
function pathOf(parent: string, key: string): string {
  return /^[A-Za-z_$][\w$-]*$/.test(key) ? `${parent}.${key}` : `${parent}[${describeValue(key)}]`;
}

const MISSING = `is missing; add { "mcpServers": { … } }, which some clients call "servers"`;

class ConfigCheck {
  constructor(private readonly origin: string) {}

  object(value: unknown, path: string): Record<string, unknown> {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    if (path === "mcpServers" && value === undefined) this.fail(path, MISSING);
    return this.mismatch(path, "an object", value);
  }

  text(value: unknown, path: string): string {
    return typeof value === "string" && value !== "" ? value : this.mismatch(path, "a non-empty string", value);
  }

  list(value: unknown, path: string): string[] {
    if (!Array.isArray(value)) return this.mismatch(path, "an array of strings", value);
    return value.map((item, index) =>
      typeof item === "string" ? item : this.mismatch(`${path}[${index}]`, "a string", item),
    );
  }

  record(value: unknown, path: string): Record<string, string> {
    const entries = Object.entries(this.object(value, path)).map(([key, item]): [string, string] =>
      typeof item === "string" ? [key, item] : this.mismatch(pathOf(path, key), "a string", item),
    );
    return Object.fromEntries(entries);
  }

  headers(value: unknown, path: string): Record<string, string> {
    const headers = this.record(value, path);
    for (const [name, text] of Object.entries(headers)) {
      if (!isHeader(name, "")) this.fail(pathOf(path, name), "is no name of a header");
      if (!isHeader(name, text)) this.fail(pathOf(path, name), "has characters that no header may have");
    }
    return headers;
  }

  time(value: unknown, path: string): number {
    return isTimerMs(value) ? value : this.mismatch(path, TIMER_RANGE, value);
  }

  /** Never shows a string: it may be a secret, and its type is what is wrong. */
  mismatch(path: string, expected: string, value: unknown): never {
    const found = typeof value === "string" ? (value === "" ? "an empty string" : "a string") : describeValue(value);
    return this.fail(path, `must be ${expected}, not ${found}`);
  }

  fail(path: string, problem: string): never {
    const place = path === "" ? "the top level" : path;
    throw new CodeModeError("invalid_argument", `${this.origin}: ${place} ${problem}.`, { path: place, problem });
  }
}
