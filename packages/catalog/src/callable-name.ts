import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { GUEST_GLOBALS, KEYWORDS } from "./reserved-names.js";

/**
 * Names that no tool may have as a guest global: keywords, everything on the guest's global object, `then` and
 * `toJSON`, which would make the global object a promise or change its JSON, and `require`, whose call is module access.
 */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...KEYWORDS,
  ...GUEST_GLOBALS,
  "then",
  "toJSON",
  "require",
]);

export interface NameCandidate {
  /** Host-only identity; unique. It decides the suffix and the order, and never shows. */
  readonly id: string;
  /** The name as supplied; any text. */
  readonly name: string;
  /** The name wanted instead, before it is made safe. Default `name`. */
  readonly suggested?: string;
}

export interface NameOptions {
  isReserved(name: string): boolean;
  /** Names given earlier, by id. They are kept, and never pass to another id, even when theirs is gone. */
  readonly assigned?: ReadonlyMap<string, string>;
}

/** Longest name that is kept whole; longer ones are cut and get a suffix. */
const MAX_NAME_CHARS = 128;
const MIN_SUFFIX_DIGITS = 8;

export function isSafeIdentifier(name: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name);
}

/**
 * One distinct identifier per candidate, the same whatever the order of the candidates.
 *
 * Exact safe names come first; invalid characters become `_`, and a bad first character gets `tool_`. A name that is
 * reserved, taken or wanted by several gets `_` and the first 8 hex digits of the SHA-256 of its id, two more until it
 * is unique.
 */
export function assignNames(candidates: readonly NameCandidate[], options: NameOptions): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set(options.assigned?.values() ?? []);
  const isFree = (name: string): boolean => !taken.has(name) && !options.isReserved(name);
  const give = (id: string, name: string): void => {
    names.set(id, name);
    taken.add(name);
  };
  const open = [...new Map(candidates.map((candidate) => [candidate.id, candidate])).values()]
    .sort((left, right) => compareText(left.id, right.id))
    .map(({ id, name, suggested }) => ({ id, name, wanted: suggested ?? name, base: safeName(suggested ?? name) }))
    .filter(({ id }) => {
      const earlier = options.assigned?.get(id);
      if (earlier !== undefined) names.set(id, earlier);
      return earlier === undefined;
    });

  const exact = open.filter(({ name, base }) => base === name);
  for (const candidate of soleClaims(exact)) if (isFree(candidate.base)) give(candidate.id, candidate.base);
  const rest = open.filter(({ id }) => !names.has(id));
  for (const candidate of soleClaims(rest)) {
    if (candidate.wanted.length <= MAX_NAME_CHARS && isFree(candidate.base)) give(candidate.id, candidate.base);
  }
  for (const { id, base } of rest) if (!names.has(id)) give(id, suffixed(base, id, isFree));
  return names;
}

/** Those that nobody else in the list wants to be called alike. */
function soleClaims<Claim extends { readonly base: string }>(claims: readonly Claim[]): readonly Claim[] {
  const counts = new Map<string, number>();
  for (const { base } of claims) counts.set(base, (counts.get(base) ?? 0) + 1);
  return claims.filter(({ base }) => counts.get(base) === 1);
}

/** The name with every invalid character replaced, cut to 128 characters. */
function safeName(name: string): string {
  if (name.length <= MAX_NAME_CHARS && isSafeIdentifier(name)) return name;
  const characters = Array.from(name.slice(0, MAX_NAME_CHARS * 2)).slice(0, MAX_NAME_CHARS);
  const replaced = characters.join("").replace(/[^A-Za-z0-9_$]/gu, "_");
  return isSafeIdentifier(replaced) ? replaced : `tool_${replaced}`;
}

function suffixed(base: string, id: string, isFree: (name: string) => boolean): string {
  const digits = hexDigest(id);
  for (let length = MIN_SUFFIX_DIGITS; length <= digits.length; length += 2) {
    const name = `${base}_${digits.slice(0, length)}`;
    if (isFree(name)) return name;
  }
  return suffixed(`${base}_${digits}`, `${id}\u0000`, isFree);
}

/** SHA-256 of the text's UTF-8 bytes, as hex digits. */
export function hexDigest(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** Order by UTF-16 units, the same everywhere. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
