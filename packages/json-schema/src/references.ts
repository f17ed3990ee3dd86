import { isNode, readOwn, readString, asSchema, type Schema, type SchemaNode } from "./schema-node.js";

const MAX_REFERENCE_CHARS = 1_000;
const MAX_INDEXED_VALUES = 20_000;

/** Resolves `$ref` inside one document. Never fetches anything. */
export interface References {
  /** The schema a reference names; undefined when it is not in this document. */
  resolve(reference: string): Schema | undefined;
}

/**
 * Local references of a schema document: `#`, JSON pointers into any place, `$anchor`, and `$id` by exact text.
 *
 * The index of ids is built at first need and covers the first `maxIndexedValues`.
 */
export function createReferences(root: unknown, maxIndexedValues = MAX_INDEXED_VALUES): References {
  const resolved = new Map<string, Schema | undefined>();
  let index: ReadonlyMap<string, SchemaNode> | undefined;
  const named = (name: string): SchemaNode | undefined => (index ??= indexNames(root, maxIndexedValues)).get(name);

  const find = (reference: string): Schema | undefined => {
    if (reference.length > MAX_REFERENCE_CHARS) return undefined;
    const hash = reference.indexOf("#");
    const base = hash < 0 ? reference : reference.slice(0, hash);
    const fragment = hash < 0 ? "" : reference.slice(hash + 1);
    const start = base === "" ? root : named(base);
    if (start === undefined) return undefined;
    if (fragment === "") return asSchema(start);
    return fragment.startsWith("/") ? followPointer(start, fragment) : named(`#${fragment}`);
  };

  return {
    resolve(reference) {
      if (!resolved.has(reference)) resolved.set(reference, find(reference));
      return resolved.get(reference);
    },
  };
}

function followPointer(start: unknown, pointer: string): Schema | undefined {
  let place = start;
  for (const part of pointer.slice(1).split("/")) {
    if (typeof place !== "object" || place === null) return undefined;
    const key = decodePart(part);
    if (key === undefined) return undefined;
    place = readOwn(place, key);
  }
  return asSchema(place);
}

/** One pointer segment: percent-decoded, then `~1` and `~0`; undefined when the escapes are malformed. */
function decodePart(part: string): string | undefined {
  if (/%(?![0-9A-Fa-f]{2})/.test(part)) return undefined;
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** `$id` by its text and `$anchor` as `#name`; the first of a name wins. */
function indexNames(root: unknown, maxValues: number): ReadonlyMap<string, SchemaNode> {
  const names = new Map<string, SchemaNode>();
  const seen = new Set<object>();
  const queue: unknown[] = [root];
  const add = (name: string | undefined, node: SchemaNode): void => {
    if (name !== undefined && !names.has(name)) names.set(name, node);
  };
  for (let next = 0; next < queue.length && next < maxValues; next += 1) {
    const value = queue[next];
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isNode(value)) {
      add(readString(value, "$id"), value);
      for (const keyword of ["$anchor", "$dynamicAnchor"]) {
        const anchor = readString(value, keyword);
        if (anchor !== undefined) add(`#${anchor}`, value);
      }
    }
    for (const key of Object.keys(value)) {
      if (queue.length >= maxValues) break;
      queue.push(readOwn(value, key));
    }
  }
  return names;
}
