import { createObject, define, freeze, hasOwn, stringifyJson, TypeErrorConstructor, VISIBLE } from "./primordials.js";
import { missingText } from "./missing-names.js";
import type { RequestTable } from "./request-table.js";
import type { SurfaceReader } from "./surface-reader.js";

export interface NamespaceApiParts {
  readonly surface: Pick<SurfaceReader, "declarations" | "functionBinding">;
  readonly requests: Pick<RequestTable, "send">;
}

/** What is asked of a namespace beside its name. */
export interface DescribedNamespace {
  readonly name: string;
  /** As the guest writes it. */
  readonly path: string;
  functionNames(): readonly string[];
}

/**
 * `$api(toolName?, { schema }?)` of a namespace: its declarations, or those of one function, on request with its schemas.
 * The former is answered without leaving the guest.
 */
export function createNamespaceApi(namespace: DescribedNamespace, { surface, requests }: NamespaceApiParts): object {
  const wholeHeader = async (): Promise<object> => {
    const { path, header } = surface.declarations(namespace.name);
    return rowOf({ namespace: namespace.path, path, header });
  };
  const $api = (toolName?: unknown, options?: unknown): Promise<unknown> => {
    if (toolName === undefined) return wholeHeader();
    let hasSchema = false;
    return requests.send(
      "describe",
      () => {
        hasSchema = isSchemaAsked(options);
        return `,"binding":${bindingOf(toolName)}`;
      },
      (description) => oneHeader(description, hasSchema),
    );
  };

  function bindingOf(toolName: unknown): number {
    if (typeof toolName !== "string")
      throw new TypeErrorConstructor(`${namespace.path}.$api takes a tool's name as text.`);
    const binding = surface.functionBinding(namespace.name, toolName);
    if (binding !== null) return binding;
    const { path } = namespace;
    const otherwise = `Object.keys(${path}) names its functions.`;
    throw new TypeErrorConstructor(missingText({ path, members: namespace.functionNames(), otherwise }, toolName));
  }

  function oneHeader(description: unknown, hasSchema: boolean): unknown {
    const found = description as Record<string, unknown>;
    // A description too large to cross is a truncation marker.
    if (!hasOwn(found, "declaration")) return description;
    const { path } = surface.declarations(namespace.name);
    return rowOf({
      namespace: namespace.path,
      path,
      header: found["declaration"],
      tool: rowOf({ name: found["name"], callableName: found["callableName"], description: found["description"] }),
      ...(hasSchema ? schemasOf(found) : undefined),
    });
  }

  return freeze($api);
}

function isSchemaAsked(options: unknown): boolean {
  if (options === undefined || options === null) return false;
  const { schema } = options as { schema?: unknown };
  if (schema === undefined || typeof schema === "boolean") return schema === true;
  throw new TypeErrorConstructor(
    `$api takes { schema: true }, but schema is ${stringifyJson(schema) ?? typeof schema}.`,
  );
}

function schemasOf(description: Record<string, unknown>): object {
  const inputSchema = description["parameters"];
  return hasOwn(description, "outputSchema")
    ? { inputSchema, outputSchema: description["outputSchema"] }
    : { inputSchema };
}

/** Plain data that nothing of the guest's can get between. */
function rowOf(fields: Record<string, unknown>): object {
  const row = createObject(null) as object;
  for (const key in fields) if (hasOwn(fields, key)) define(row, key, fields[key], VISIBLE);
  return freeze(row);
}
