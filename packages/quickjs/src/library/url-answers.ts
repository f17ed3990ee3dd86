import { malformed, textField, textsOf, wordField, type Fields } from "./library-request.js";

const PARTS = [
  ...(["href", "origin", "protocol", "username", "password", "host", "hostname", "port"] as const),
  ...(["pathname", "search", "hash"] as const),
];

type Part = (typeof PARTS)[number];

/** The parts of a URL as URL reads it; null when it is none. */
export function urlAnswer(fields: Fields): Record<Part, string> | null {
  const base = fields["base"] === undefined ? undefined : textField(fields, "base");
  const url = parse(textField(fields, "url"), base);
  return url === undefined ? null : partsOf(url);
}

/** The parts of a URL after one was set; null when the new text is no URL, which only `href` can come to. */
export function urlPartAnswer(fields: Fields): Record<Part, string> | null {
  const part = PARTS.find((name) => name === wordField(fields, "part"));
  const value = textField(fields, "value");
  if (part === undefined || part === "origin") throw malformed("part");
  const url = parse(part === "href" ? value : textField(fields, "url"));
  if (url === undefined) return null;
  if (part !== "href") url[part] = value;
  return partsOf(url);
}

/** The names and values of a query text, which may start with a question mark, flat. */
export function queryAnswer(fields: Fields): string[] {
  return Array.from(new URLSearchParams(textField(fields, "text"))).flat();
}

/** The query text of names and values, flat. */
export function queryTextAnswer(fields: Fields): string {
  const flat = textsOf(fields["pairs"], "pairs");
  const query = new URLSearchParams();
  for (let index = 0; index + 1 < flat.length; index += 2) query.append(flat[index] ?? "", flat[index + 1] ?? "");
  return query.toString();
}

function parse(url: string, base?: string): URL | undefined {
  try {
    return new URL(url, base);
  } catch {
    return undefined;
  }
}

function partsOf(url: URL): Record<Part, string> {
  return Object.fromEntries(PARTS.map((part) => [part, url[part]])) as Record<Part, string>;
}
