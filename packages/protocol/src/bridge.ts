import { Type, type Static } from "./schema-builder.js";

const Id = Type.Integer({ minimum: 1 });
const Index = Type.Integer({ minimum: 0 });

export const BridgeRequestSchema = Type.Union([
  Type.Object({ method: Type.Literal("call"), id: Id, binding: Index, input: Type.String() }),
  Type.Object({ method: Type.Literal("search"), id: Id, query: Type.String(), limit: Type.Optional(Type.Number()) }),
  Type.Object({ method: Type.Literal("describe"), id: Id, binding: Index }),
  Type.Object({
    method: Type.Literal("timer"),
    id: Id,
    delayMs: Type.Number({ minimum: 0 }),
    /** One firing of an interval, which arms itself again. */
    isInterval: Type.Optional(Type.Boolean()),
  }),
  Type.Object({ method: Type.Literal("yield"), id: Id, reason: Type.Optional(Type.String()) }),
]);
/**
 * One message from guest to host. `id` is unique in a cell's life and rises. `binding` is the number the cell's
 * surface gave a callable; `input` is JSON text of one object.
 */
export type BridgeRequest = Static<typeof BridgeRequestSchema>;
export type BridgeMethod = BridgeRequest["method"];

export const PlainErrorSchema = Type.Object({
  name: Type.String(),
  message: Type.String(),
  code: Type.Optional(Type.String()),
});
/** An error as data: the only form in which one crosses the bridge. */
export type PlainError = Static<typeof PlainErrorSchema>;

export const BridgeReplySchema = Type.Union([
  Type.Object({ id: Id, ok: Type.Literal(true), value: Type.String() }),
  Type.Object({ id: Id, ok: Type.Literal(false), error: PlainErrorSchema }),
]);
/** The settlement of one request. `value` is JSON text. */
export type BridgeReply = Static<typeof BridgeReplySchema>;

export const EncodedJsonSchema = Type.Object({
  text: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  isComplete: Type.Boolean(),
  sample: Type.Optional(Type.String()),
});
/**
 * Compact JSON of one value, possibly cut. `bytes` is the UTF-8 size of the whole; `text` is the whole when
 * `isComplete`, else a prefix that ends on a character boundary. `sample` is JSON text that shows the structure of what
 * was cut; only final values have one.
 */
export type EncodedJson = Static<typeof EncodedJsonSchema>;

export const OutputDeltaSchema = Type.Object({
  items: Type.Array(EncodedJsonSchema),
  omittedItems: Type.Integer({ minimum: 0 }),
  omittedBytes: Type.Integer({ minimum: 0 }),
});
/**
 * Output the guest wrote since it was last collected: JSON texts of output items, in order. Past the cell's output
 * limit items are only counted: `omittedBytes` sums their compact JSON without separators.
 */
export type OutputDelta = Static<typeof OutputDeltaSchema>;
