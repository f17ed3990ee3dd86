import {
  SymbolIterator,
  TypeErrorConstructor,
  append,
  appendOrdinary,
  apply,
  bareList,
  defineMethod,
  getOwnPropertyDescriptor,
  ownKeys,
  sortList,
  toText,
  wellFormed,
} from "../library-primordials.js";
import type { Ask } from "../library-services.js";
import { listOf } from "./iterate.js";
import { quoted, quotedList } from "./json-fields.js";
import { nameClass } from "./name-class.js";

type Pair = readonly [name: string, value: string];

/** The class, and what only the library may do with its objects. */
export interface SearchParams {
  readonly URLSearchParams: new (init?: unknown) => object;
  /** Parameters that belong to a URL: it is told the query text after every change, and can set another one. */
  ofUrl(query: string, onChange: (query: string) => void): { readonly params: object; read(query: string): void };
  /** The query text; undefined for any other object. */
  textOf(value: object): string | undefined;
}

export function createSearchParams(ask: Ask): SearchParams {
  let ofUrl!: SearchParams["ofUrl"];
  let textOf!: SearchParams["textOf"];

  class URLSearchParams {
    #pairs: Pair[];
    #onChange: ((query: string) => void) | undefined;

    static {
      ofUrl = (query, onChange) => {
        const params = new URLSearchParams(query);
        params.#onChange = onChange;
        return { params, read: (changed) => void (params.#pairs = pairsOfQuery(ask, changed)) };
      };
      textOf = (value) => (#pairs in value ? queryOfPairs(ask, value.#pairs) : undefined);
    }

    constructor(init: unknown = "") {
      if (typeof init !== "object" || init === null) this.#pairs = pairsOfQuery(ask, toText(init));
      else this.#pairs = #pairs in init ? copyOf(init.#pairs) : pairsOfObject(init);
    }
    get size(): number {
      return this.#pairs.length;
    }
    append(name: unknown, value: unknown): void {
      append(this.#pairs, pairOf(name, value));
      this.#changed();
    }
    delete(name: unknown, value?: unknown): void {
      const isMatch = matcher(name, value);
      this.#replace(filtered(this.#pairs, (pair) => !isMatch(pair)));
    }
    get(name: unknown): string | null {
      return filtered(this.#pairs, matcher(name))[0]?.[1] ?? null;
    }
    getAll(name: unknown): string[] {
      const found = filtered(this.#pairs, matcher(name));
      const values: string[] = [];
      for (let index = 0; index < found.length; index++) appendOrdinary(values, (found[index] as Pair)[1]);
      return values;
    }
    has(name: unknown, value?: unknown): boolean {
      return filtered(this.#pairs, matcher(name, value)).length > 0;
    }
    /** The first pair of that name gets the value, its others go; without any, one is added at the end. */
    set(name: unknown, value: unknown): void {
      const pair = pairOf(name, value);
      const pairs = bareList<Pair>();
      let isPlaced = false;
      for (let index = 0; index < this.#pairs.length; index++) {
        const old = this.#pairs[index] as Pair;
        if (old[0] !== pair[0]) append(pairs, old);
        else if (!isPlaced) append(pairs, pair);
        isPlaced ||= old[0] === pair[0];
      }
      if (!isPlaced) append(pairs, pair);
      this.#replace(pairs);
    }
    sort(): void {
      this.#replace(sortList(copyOf(this.#pairs), byName));
    }
    forEach(callback: unknown, self?: unknown): void {
      if (typeof callback !== "function") throw new TypeErrorConstructor("forEach takes a function.");
      for (let index = 0; index < this.#pairs.length; index++) {
        const pair = this.#pairs[index] as Pair;
        apply(callback as () => void, self, [pair[1], pair[0], this]);
      }
    }
    *entries(): Generator<string[]> {
      for (let index = 0; index < this.#pairs.length; index++) {
        const pair = this.#pairs[index] as Pair;
        yield [pair[0], pair[1]];
      }
    }
    *keys(): Generator<string> {
      for (let index = 0; index < this.#pairs.length; index++) yield (this.#pairs[index] as Pair)[0];
    }
    *values(): Generator<string> {
      for (let index = 0; index < this.#pairs.length; index++) yield (this.#pairs[index] as Pair)[1];
    }
    toString(): string {
      return queryOfPairs(ask, this.#pairs);
    }

    #replace(pairs: Pair[]): void {
      this.#pairs = pairs;
      this.#changed();
    }
    #changed(): void {
      this.#onChange?.(queryOfPairs(ask, this.#pairs));
    }
  }

  const { prototype } = URLSearchParams;
  defineMethod(prototype, SymbolIterator, prototype.entries);
  nameClass(URLSearchParams, "URLSearchParams");
  return { URLSearchParams, ofUrl, textOf };
}

function pairsOfQuery(ask: Ask, query: string): Pair[] {
  const pairs = bareList<Pair>();
  if (query === "") return pairs;
  const flat = ask(`{"ask":"query","text":${quoted(query)}}`) as string[];
  for (let index = 0; index < flat.length; index += 2) {
    append(pairs, [flat[index] as string, flat[index + 1] as string]);
  }
  return pairs;
}

function queryOfPairs(ask: Ask, pairs: readonly Pair[]): string {
  if (pairs.length === 0) return "";
  const flat = bareList<string>();
  for (let index = 0; index < pairs.length; index++) {
    const pair = pairs[index] as Pair;
    append(flat, pair[0]);
    append(flat, pair[1]);
  }
  return ask(`{"ask":"query-text","pairs":${quotedList(flat)}}`) as string;
}

/** Pairs of an iterable of pairs, or of the own names and values of an object. */
function pairsOfObject(init: object): Pair[] {
  const pairs = bareList<Pair>();
  const iterator = (init as Record<symbol, unknown>)[SymbolIterator];
  if (iterator !== undefined && iterator !== null) {
    const items = listOf(init);
    for (let index = 0; index < items.length; index++) {
      const item = listOf(items[index]);
      if (item.length !== 2) throw new TypeErrorConstructor("Each query pair must be an iterable [name, value] pair");
      append(pairs, pairOf(item[0], item[1]));
    }
    return pairs;
  }
  const keys = ownKeys(init);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as PropertyKey;
    if (getOwnPropertyDescriptor(init, key)?.enumerable !== true) continue;
    append(pairs, pairOf(key, (init as Record<PropertyKey, unknown>)[key]));
  }
  return pairs;
}

function pairOf(name: unknown, value: unknown): Pair {
  return [wellFormed(toText(name)), wellFormed(toText(value))];
}

function matcher(name: unknown, value?: unknown): (pair: Pair) => boolean {
  const wanted = pairOf(name, value);
  return (pair) => pair[0] === wanted[0] && (value === undefined || pair[1] === wanted[1]);
}

function filtered(pairs: readonly Pair[], isKept: (pair: Pair) => boolean): Pair[] {
  const kept = bareList<Pair>();
  for (let index = 0; index < pairs.length; index++) {
    const pair = pairs[index] as Pair;
    if (isKept(pair)) append(kept, pair);
  }
  return kept;
}

function copyOf(pairs: readonly Pair[]): Pair[] {
  return filtered(pairs, () => true);
}

function byName(one: Pair, other: Pair): number {
  return one[0] < other[0] ? -1 : one[0] > other[0] ? 1 : 0;
}
