import type { McpServerConfig } from "./mcp-config.js";

/** Text without what a server was given in confidence. */
export type SecretMask = (text: string) => string;

/** Shorter values are mostly settings, such as `true` or `8080`, and in any text. */
const MIN_SECRET_CHARS = 8;
const HIDDEN = "[hidden]";

/**
 * Hides the configured environment and header values, whole and by their words, and those in the query of the address;
 * also as JSON and that query write them.
 */
export function createSecretMask(config: McpServerConfig): SecretMask {
  const given =
    "url" in config
      ? [...Object.values(config.headers ?? {}), ...queryValues(new URL(config.url))]
      : Object.values(config.env ?? {});
  const parts = given
    .flatMap((value) => [value, ...value.split(/\s+/)])
    .flatMap((part) => [part, JSON.stringify(part).slice(1, -1)])
    .filter((part) => part.length >= MIN_SECRET_CHARS);
  const secrets = [...new Set(parts)].sort((one, other) => other.length - one.length);
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, HIDDEN), text);
}

/** Decoded and as written. */
function queryValues({ search, searchParams }: URL): string[] {
  const written = search
    .slice(1)
    .split("&")
    .map((pair) => pair.slice(pair.indexOf("=") + 1));
  return [...searchParams.values(), ...written];
}
