import { cut, type Place, type ReadContext } from "./read-context.js";
import { hasOwn, readList, readNumber, readOwn, type SchemaNode } from "./schema-node.js";
import { UNKNOWN, type SchemaType, type TupleType } from "./schema-type.js";

const MAX_TUPLE_ITEMS = 32;

/** A list or a tuple. The newer `prefixItems` and the older list-valued `items` mean the same. */
export function readArray(context: ReadContext, node: SchemaNode, place: Place): SchemaType {
  const inside: Place = { ...place, nesting: place.nesting + 1, isClosedAround: false, hasDefaultsApplied: false };
  const prefix = readList(node, "prefixItems") ?? readList(node, "items");
  if (prefix !== undefined && prefix.length > 0) return readTuple(context, node, prefix, inside);
  const items = readOwn(node, "items");
  return {
    type: "array",
    items: items === undefined || Array.isArray(items) ? unnamed(context) : context.read(items, inside),
  };
}

/** Items nobody describes: any value, which leaves the type open. */
function unnamed(context: ReadContext): SchemaType {
  context.findings.add("open");
  return UNKNOWN;
}

function readTuple(context: ReadContext, node: SchemaNode, prefix: readonly unknown[], inside: Place): SchemaType {
  if (prefix.length > MAX_TUPLE_ITEMS) return cut(context, "size");
  const required = readNumber(node, "minItems") ?? 0;
  const items = prefix.map((item, position) => ({
    item: context.read(item, inside),
    isOptional: position >= required,
  }));
  const tuple: TupleType = { type: "tuple", items };
  const others = hasOwn(node, "prefixItems") ? readOwn(node, "items") : readOwn(node, "additionalItems");
  const hasNoOthers = others === false || (readNumber(node, "maxItems") ?? Infinity) <= prefix.length;
  if (hasNoOthers) return tuple;
  return { ...tuple, rest: others === undefined ? unnamed(context) : context.read(others, inside) };
}
