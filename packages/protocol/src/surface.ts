import { Type, type Static } from "./schema-builder.js";

export const GuestToolSchema = Type.Object({
  /** Number by which requests name this callable. */
  binding: Type.Integer({ minimum: 0 }),
  callableName: Type.String(),
  toolName: Type.String(),
  label: Type.Optional(Type.String()),
  description: Type.String(),
  source: Type.String(),
  /** Compact input hint. */
  input: Type.Optional(Type.String()),
  /** Compact output hint; only complete, trusted ones. */
  output: Type.Optional(Type.String()),
  /** Whether it is a global and listed by `catalog.all()`; MCP tools are neither. */
  isGlobal: Type.Boolean(),
});
/** One callable as the guest sees it. Never holds the host-only id. */
export type GuestTool = Static<typeof GuestToolSchema>;

export const GuestFunctionSchema = Type.Object({
  name: Type.String(),
  /** Further keys under which the same function is reachable. */
  aliases: Type.Array(Type.String()),
  binding: Type.Integer({ minimum: 0 }),
});
export type GuestFunction = Static<typeof GuestFunctionSchema>;

export const GuestGroupSchema = Type.Object({ name: Type.String(), functions: Type.Array(GuestFunctionSchema) });
/** Functions one level below a namespace, such as `resources`. */
export type GuestGroup = Static<typeof GuestGroupSchema>;

export const GuestNamespaceSchema = Type.Object({
  name: Type.String(),
  aliases: Type.Array(Type.String()),
  functions: Type.Array(GuestFunctionSchema),
  /** Default none. */
  groups: Type.Optional(Type.Array(GuestGroupSchema)),
});
/** A group of functions under a root, such as one MCP server under `MCP`. */
export type GuestNamespace = Static<typeof GuestNamespaceSchema>;

export const ApiFileSchema = Type.Object({
  path: Type.String(),
  description: Type.String(),
  content: Type.String(),
  /** UTF-8 size of `content`. */
  bytes: Type.Integer({ minimum: 0 }),
});
/** One virtual declaration file the guest can read with `API.read`. */
export type ApiFile = Static<typeof ApiFileSchema>;

export const GuestSurfaceSchema = Type.Object({
  /** Identity of the content: equal surfaces have equal fingerprints. */
  fingerprint: Type.String(),
  tools: Type.Array(GuestToolSchema),
  /** Namespaces under the global `MCP`. */
  mcp: Type.Array(GuestNamespaceSchema),
  apiFiles: Type.Array(ApiFileSchema),
});
/** Everything the guest's globals are made of, as plain data. The same for every cell of one catalog. */
export type GuestSurface = Static<typeof GuestSurfaceSchema>;
