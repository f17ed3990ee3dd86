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
  if (Array.isArray(node["enum"])) return (node["enum"] as unknown[])[0];
  const reference = node["$ref"];
  if (typeof reference === "string") return example(resolve(reference, building.root), inside);
  const whole = Array.isArray(node["allOf"]) ? (node["allOf"] as unknown[]).map((part) => example(part, inside)) : [];
  const branches = (node["anyOf"] ?? node["oneOf"]) as unknown[] | undefined;
  const parts = [...whole, ...(branches !== undefined ? [example(branches[0], inside)] : [])];
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
      return "text";
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
  const required = (node["required"] ?? []) as string[];
  const names = building.size === "everything" ? [...new Set([...required, ...Object.keys(properties)])] : required;
  const entries = names.map((name) => [name, example(properties[name] ?? {}, building)] as const);
  const others = node["additionalProperties"];
  const extra = building.size === "everything" && typeof others === "object" && others !== null;
  return Object.fromEntries([...entries, ...(extra ? [["extra", example(others, building)] as const] : [])]);
}

function resolve(reference: string, root: unknown): unknown {
  return reference
    .split("/")
    .slice(1)
    .reduce<unknown>((place, key) => (place as Node)[decodeURIComponent(key).replaceAll("~1", "/")], root);
}
