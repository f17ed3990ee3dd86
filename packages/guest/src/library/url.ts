import { TypeErrorConstructor, sliceText, toText, wellFormed } from "../library-primordials.js";
import type { LibraryServices } from "../library-services.js";
import { quoted } from "./json-fields.js";
import { nameClass } from "./name-class.js";
import { createSearchParams } from "./url-search-params.js";

interface UrlParts {
  readonly href: string;
  readonly origin: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

const MAX_SHOWN_CHARS = 200;

/** The globals `URL` and `URLSearchParams`. The worker's own URL does the parsing; an object here holds its parts. */
export function createUrlClasses(services: LibraryServices): Record<string, unknown> {
  const { ask } = services;
  const { URLSearchParams, ofUrl, textOf } = createSearchParams(ask);
  let hrefOf!: (value: object) => string | undefined;

  function parse(url: unknown, base: unknown): UrlParts | null {
    const baseField = base === undefined ? "" : `,"base":${quoted(textOfInput(base))}`;
    return ask(`{"ask":"url","url":${quoted(textOfInput(url))}${baseField}}`) as UrlParts | null;
  }

  class URL {
    #parts: UrlParts;
    /** Made when it is first asked for, so that a URL without it costs less. */
    #params: ReturnType<typeof ofUrl> | undefined;

    static {
      hrefOf = (value) => (#parts in value ? value.#parts.href : undefined);
    }

    constructor(url: unknown, base?: unknown) {
      const parts = parse(url, base);
      if (parts === null) throw invalidUrl(url);
      this.#parts = parts;
    }
    static canParse(url: unknown, base?: unknown): boolean {
      return parse(url, base) !== null;
    }
    static parse(url: unknown, base?: unknown): URL | null {
      return parse(url, base) === null ? null : new URL(url, base);
    }

    get href(): string {
      return this.#parts.href;
    }
    set href(value: unknown) {
      if (!this.#set("href", value)) throw invalidUrl(value);
    }
    get origin(): string {
      return this.#parts.origin;
    }
    get protocol(): string {
      return this.#parts.protocol;
    }
    set protocol(value: unknown) {
      this.#set("protocol", value);
    }
    get username(): string {
      return this.#parts.username;
    }
    set username(value: unknown) {
      this.#set("username", value);
    }
    get password(): string {
      return this.#parts.password;
    }
    set password(value: unknown) {
      this.#set("password", value);
    }
    get host(): string {
      return this.#parts.host;
    }
    set host(value: unknown) {
      this.#set("host", value);
    }
    get hostname(): string {
      return this.#parts.hostname;
    }
    set hostname(value: unknown) {
      this.#set("hostname", value);
    }
    get port(): string {
      return this.#parts.port;
    }
    set port(value: unknown) {
      this.#set("port", value);
    }
    get pathname(): string {
      return this.#parts.pathname;
    }
    set pathname(value: unknown) {
      this.#set("pathname", value);
    }
    get search(): string {
      return this.#parts.search;
    }
    set search(value: unknown) {
      this.#set("search", value);
    }
    get hash(): string {
      return this.#parts.hash;
    }
    set hash(value: unknown) {
      this.#set("hash", value);
    }
    get searchParams(): object {
      this.#params ??= ofUrl(this.#parts.search, (query) => {
        this.#parts = this.#changed("search", query) ?? this.#parts;
      });
      return this.#params.params;
    }
    toString(): string {
      return this.#parts.href;
    }
    toJSON(): string {
      return this.#parts.href;
    }

    #changed(part: keyof UrlParts, value: string): UrlParts | null {
      const url = quoted(this.#parts.href);
      return ask(`{"ask":"url-part","url":${url},"part":"${part}","value":${quoted(value)}}`) as UrlParts | null;
    }
    /** False when the URL would be none. */
    #set(part: keyof UrlParts, value: unknown): boolean {
      const parts = this.#changed(part, textOfInput(value));
      if (parts === null) return false;
      this.#parts = parts;
      this.#params?.read(parts.search);
      return true;
    }
  }

  services.addPlainForm((value) => {
    const text = hrefOf(value) ?? textOf(value);
    return text === undefined ? undefined : { plain: text };
  });
  nameClass(URL, "URL");
  return { URL, URLSearchParams };
}

function textOfInput(value: unknown): string {
  return wellFormed(toText(value));
}

function invalidUrl(url: unknown): Error {
  return new TypeErrorConstructor(`Invalid URL: ${sliceText(toText(url), 0, MAX_SHOWN_CHARS)}`);
}
