import { createMatcher, type PatternMatcher } from "./pattern-match.js";
import { compilePattern } from "./pattern-program.js";
import { createReferences, type References } from "./references.js";
import { asSchema, hasOwn, isNode, readOwn, type Schema, type SchemaNode } from "./schema-node.js";
import { keywordProblem, subschemas, IN_PLACE_KEYWORDS } from "./schema-keywords.js";
import { prepareSchema, type PreparedSchema } from "./validation-run.js";
import { shorten } from "./text.js";

const MAX_NODES = 20_000;
const MAX_IN_PLACE = 200;

export type SchemaCheck =
  | { readonly status: "sound"; readonly schema: PreparedSchema; readonly unchecked: readonly string[] }
  | { readonly status: "unsound"; readonly problem: string };

/** A node that is still to be looked at, with its JSON pointer. */
interface Visit {
  readonly schema: SchemaNode;
  readonly place: string;
}

interface Findings {
  readonly references: References;
  readonly patterns: Map<string, PatternMatcher>;
  readonly unchecked: string[];
  tracksEvaluated: boolean;
}

/**
 * Looks at every part of a schema once: are its keywords what JSON Schema says, does every `$ref` name something in it,
 * does no part refer to itself without going into the value.
 *
 * Untrusted: never throws, never runs code of the schema, reads at most 20,000 parts.
 */
export function checkSchema(root: unknown): SchemaCheck {
  const schema = asSchema(root);
  if (schema === undefined) return unsound("", "a schema must be an object or a boolean");
  const findings: Findings = {
    references: createReferences(root),
    patterns: new Map(),
    unchecked: [],
    tracksEvaluated: false,
  };
  const problem = checkNodes(schema, findings);
  if (problem !== undefined) return { status: "unsound", problem };
  const { references, patterns, tracksEvaluated, unchecked } = findings;
  const prepared = prepareSchema({ root: schema, references, patterns, tracksEvaluated });
  return { status: "sound", schema: prepared, unchecked };
}

function checkNodes(root: Schema, findings: Findings): string | undefined {
  const queue: Visit[] = [];
  const seen = new Set<object>();
  const visit = (schema: unknown, place: string): void => {
    if (!isNode(schema) || seen.has(schema)) return;
    seen.add(schema);
    queue.push({ schema, place });
  };
  visit(root, "");
  for (let next = 0; next < queue.length; next += 1) {
    const current = queue[next];
    if (current === undefined) break;
    if (queue.length > MAX_NODES) return located("", `the schema has more than ${MAX_NODES} parts`);
    const problem = checkNode(current, findings, visit);
    if (problem !== undefined) return problem;
  }
  return findLoop(queue, findings.references);
}

function checkNode(
  { schema, place }: Visit,
  findings: Findings,
  visit: (schema: unknown, place: string) => void,
): string | undefined {
  for (const keyword of Object.keys(schema)) {
    const problem = keywordProblem(keyword, readOwn(schema, keyword));
    if (problem !== undefined) return located(`${place}/${keyword}`, problem);
  }
  findings.tracksEvaluated ||= hasOwn(schema, "unevaluatedProperties") || hasOwn(schema, "unevaluatedItems");
  for (const keyword of ["$ref", "$dynamicRef", "$recursiveRef"]) {
    const reference = readOwn(schema, keyword);
    if (typeof reference !== "string") continue;
    const target = findings.references.resolve(reference);
    if (target === undefined) return located(`${place}/${keyword}`, "names nothing inside the schema");
    visit(target, `${place}/${keyword}`);
  }
  for (const { part, path } of subschemas(schema)) visit(part, `${place}/${path}`);
  return checkPatterns({ schema, place }, findings);
}

function checkPatterns({ schema, place }: Visit, findings: Findings): string | undefined {
  const own = readOwn(schema, "pattern");
  const keyed = readOwn(schema, "patternProperties");
  const sources = [
    ...(typeof own === "string" ? [{ source: own, path: `${place}/pattern` }] : []),
    ...(isNode(keyed) ? Object.keys(keyed).map((source) => ({ source, path: `${place}/patternProperties` })) : []),
  ];
  for (const { source, path } of sources) {
    if (findings.patterns.has(source)) continue;
    const outcome = compilePattern(source);
    if (outcome.status === "invalid") return located(path, "is not a valid regular expression");
    if (outcome.status === "compiled") findings.patterns.set(source, createMatcher(outcome.program));
    else findings.unchecked.push(`${shorten(path, 200)} is not checked: the pattern ${outcome.reason}.`);
  }
  return undefined;
}

/** A part that comes back to itself through references and branches alone would be checked for ever. */
function findLoop(visits: readonly Visit[], references: References): string | undefined {
  const finished = new Set<object>();
  for (const { schema, place } of visits) {
    const problem = follow(schema, { references, finished, active: new Set() });
    if (problem !== undefined) return located(place, problem);
  }
  return undefined;
}

function follow(
  schema: SchemaNode,
  state: { readonly references: References; readonly finished: Set<object>; readonly active: Set<object> },
): string | undefined {
  const { references, finished, active } = state;
  if (finished.has(schema)) return undefined;
  if (active.has(schema)) return "refers to itself without going into the value";
  if (active.size >= MAX_IN_PLACE) return `goes through more than ${MAX_IN_PLACE} references and branches in a row`;
  active.add(schema);
  for (const part of inPlaceParts(schema, references)) {
    const problem = isNode(part) ? follow(part, state) : undefined;
    if (problem !== undefined) return problem;
  }
  active.delete(schema);
  finished.add(schema);
  return undefined;
}

function inPlaceParts(schema: SchemaNode, references: References): readonly unknown[] {
  const referred = ["$ref", "$dynamicRef", "$recursiveRef"].map((keyword) => {
    const reference = readOwn(schema, keyword);
    return typeof reference === "string" ? references.resolve(reference) : undefined;
  });
  const parts = [...subschemas(schema)].filter(({ keyword }) => IN_PLACE_KEYWORDS.has(keyword));
  return [...referred, ...parts.map(({ part }) => part)];
}

function located(place: string, problem: string): string {
  return place === ""
    ? `The schema cannot be used: ${problem}.`
    : `The schema cannot be used: ${shorten(place, 200)} ${problem}.`;
}

function unsound(place: string, problem: string): SchemaCheck {
  return { status: "unsound", problem: located(place, problem) };
}
