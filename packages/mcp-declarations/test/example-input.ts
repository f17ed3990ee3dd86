import fc from "fast-check";

type Node = Record<string, unknown>;

/** How much of a schema an example fills in. */
export type ExampleSize = "required" | "everything";

/** An input object that satisfies the schema, built from what real servers use of JSON Schema; the same each time. */
export function exampleInput(schema: unknown, size: ExampleSize): unknown {
  const input = example(schema, { root: schema, size, depth: 0 });
  return typeof input === "object" ? input : {};
}

interface Building {
  readonly root: unknown;
  readonly size: ExampleSize;
  readonly depth: number;
}

function example(schema: unknown, building: Building): unknown {
  if (typeof schema !== "object" || schema === null) return "anything";
  const node = schema as Node;
  const inside: Building = { ...building, depth: building.depth + 1 };
  if (inside.depth > 12) return null;
  if ("const" in node) return node["const"];
  if (Array.isArray(node["enum"]) && node["enum"].length > 0) return (node["enum"] as unknown[])[0];
  const reference = node["$ref"];
  if (typeof reference === "string") return example(resolve(reference, building.root), inside);
  const whole = Array.isArray(node["allOf"]) ? (node["allOf"] as unknown[]).map((part) => example(part, inside)) : [];
  const branch = firstBranch(node);
  const parts = [...whole, ...(branch === undefined || isRequirementOnly(branch) ? [] : [example(branch, inside)])];
  const declared = node["type"];
  const type: unknown = Array.isArray(declared) ? (declared as unknown[])[0] : declared;
  if (type === undefined && node["properties"] === undefined && parts.length > 0) return merged(parts);
  return merged([...parts, ofType(node, type, inside)]);
}

/** Objects come together; of anything else the last one counts. */
function merged(values: readonly unknown[]): unknown {
  const areObjects = values.every((value) => typeof value === "object" && value !== null && !Array.isArray(value));
  return areObjects ? Object.assign({}, ...(values as object[])) : values.at(-1);
}

function ofType(node: Node, type: unknown, building: Building): unknown {
  switch (type) {
    case "string":
      return textExample(node);
    case "number":
    case "integer":
      return typeof node["minimum"] === "number" ? node["minimum"] : 1;
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return listExample(node, building);
    case "object":
      return objectExample(node, building);
    default:
      if (node["items"] !== undefined) return listExample(node, building);
      return node["properties"] === undefined ? "anything" : objectExample(node, building);
  }
}

function listExample(node: Node, building: Building): unknown {
  const prefix = node["prefixItems"] ?? node["items"];
  if (Array.isArray(prefix)) return prefix.map((item) => example(item, building));
  const count = Math.max(Number(node["minItems"] ?? 0), building.size === "everything" ? 1 : 0);
  return Array.from({ length: Math.min(count, 3) }, () => example(node["items"] ?? {}, building));
}

function objectExample(node: Node, building: Building): unknown {
  const properties = (node["properties"] ?? {}) as Node;
  const required = [node, firstBranch(node), node["then"]].flatMap(requiredOf);
  const names = building.size === "everything" ? [...new Set([...required, ...Object.keys(properties)])] : required;
  const entries = names.map((name) => [name, example(properties[name] ?? {}, building)] as const);
  const others = node["additionalProperties"];
  const extra = building.size === "everything" && typeof others === "object" && others !== null;
  return Object.fromEntries([...entries, ...(extra ? [["extra", example(others, building)] as const] : [])]);
}

function firstBranch(node: Node): unknown {
  return ((node["anyOf"] ?? node["oneOf"]) as unknown[] | undefined)?.[0];
}

/** A branch such as `{ required: ["id"] }`, which says only what else must be there. */
function isRequirementOnly(branch: unknown): boolean {
  return typeof branch === "object" && branch !== null && Object.keys(branch).join() === "required";
}

function requiredOf(node: unknown): readonly string[] {
  const required: unknown = typeof node === "object" && node !== null ? (node as Node)["required"] : undefined;
  return Array.isArray(required) ? (required as string[]) : [];
}

function textExample(node: Node): string {
  const { pattern = "", minLength = 0, maxLength = Infinity } = node as Partial<Record<string, never>>;
  const plain = "text".padEnd(minLength, "t").slice(0, maxLength);
  return (
    matchingTexts(pattern, minLength).find((text) => text.length >= minLength && text.length <= maxLength) ?? plain
  );
}

/** Some texts that match; none for a pattern that is wrong, or that the generator does not know. */
function matchingTexts(pattern: string, minLength: number): readonly string[] {
  if (pattern === "") return [];
  try {
    const expression = new RegExp(pattern, "u");
    const texts = fc.sample(fc.stringMatching(expression), { seed: 1, numRuns: 200 });
    const longer = texts.map((text) => text.repeat(minLength).slice(0, minLength));
    return [...texts, ...longer, "text"].filter((text) => expression.test(text));
  } catch {
    return [];
  }
}

/** Undefined where the reference names nothing inside the schema. */
function resolve(reference: string, root: unknown): unknown {
  if (!reference.startsWith("#")) return undefined;
  return reference
    .split("/")
    .slice(1)
    .map((key) => decodeURIComponent(key).replaceAll("~1", "/"))
    .reduce<unknown>(
      (place, key) =>
        typeof place === "object" && place !== null && Object.hasOwn(place, key) ? (place as Node)[key] : undefined,
      root,
    );
}
