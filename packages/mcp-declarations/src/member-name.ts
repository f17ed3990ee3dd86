import { KEYWORDS } from "@codemode/catalog";

/** Names that are looked up on any object, by a language construct or by habit; a tool under one would be called. */
const PROTOCOL_NAMES = [
  "then",
  "toJSON",
  "valueOf",
  "toString",
  "toLocaleString",
  "constructor",
  "prototype",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "__proto__",
  "__defineGetter__",
  "__defineSetter__",
  "__lookupGetter__",
  "__lookupSetter__",
];
const RESERVED_FUNCTIONS: ReadonlySet<string> = new Set([
  ...KEYWORDS,
  ...PROTOCOL_NAMES,
  "$api",
  "resources",
  "prompts",
]);
/** `index` would be the file `mcp/index.d.ts`. */
const RESERVED_NAMESPACES: ReadonlySet<string> = new Set([...KEYWORDS, ...PROTOCOL_NAMES, "$api", "index"]);

export function isReservedFunction(name: string): boolean {
  return RESERVED_FUNCTIONS.has(name);
}

export function isReservedNamespace(name: string): boolean {
  return RESERVED_NAMESPACES.has(name);
}

/**
 * The name wanted for a tool or server: `create_issue` gives `createIssue`, `chrome-devtools` gives `chromeDevtools`,
 * `API-get-user` gives `apiGetUser`. One word stays as it is, and so does a name that has no words.
 */
export function memberName(name: string): string {
  const words = name
    .slice(0, 512)
    .split(/[^A-Za-z0-9$]+/)
    .filter((word) => word !== "");
  const [first, ...others] = words;
  if (first === undefined || (others.length === 0 && /^[A-Za-z0-9$_]*$/.test(name))) return name;
  const start = /^[A-Z0-9$]+$/.test(first) ? first.toLowerCase() : first.charAt(0).toLowerCase() + first.slice(1);
  return start + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
