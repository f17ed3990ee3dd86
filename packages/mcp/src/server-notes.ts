import { isObject } from "./is-object.js";
import { oneLine } from "./one-line.js";
import type { SecretMask } from "./secret-mask.js";

/** Longest text of a server that is told on, in characters. */
const MAX_TEXT_CHARS = 2_000;

/** What a server says of a call under way. */
export interface McpProgress {
  readonly type: "progress";
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A log message of a server. Its text is untrusted and may hold anything the server knows, but what it was configured with. */
export interface McpLogEntry {
  /** As configured. */
  readonly server: string;
  readonly level: string;
  readonly logger?: string;
  /** One line, bounded. */
  readonly text: string;
}

/** Undefined for what is no progress. Untrusted. */
export function decodeProgress(value: unknown): McpProgress | undefined {
  if (!isObject(value) || typeof value["progress"] !== "number") return undefined;
  const { progress, total, message } = value;
  return {
    type: "progress",
    progress,
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof message === "string" ? { message: oneLine(message, MAX_TEXT_CHARS) } : {}),
  };
}

/** Undefined for what is no log message. Untrusted. */
export function decodeLog(server: string, value: unknown, mask: SecretMask): McpLogEntry | undefined {
  if (!isObject(value) || typeof value["level"] !== "string" || value["data"] === undefined) return undefined;
  const { level, logger, data } = value;
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return {
    server,
    level: oneLine(level, 40),
    ...(typeof logger === "string" ? { logger: oneLine(mask(logger), 200) } : {}),
    text: oneLine(mask(text), MAX_TEXT_CHARS),
  };
}
