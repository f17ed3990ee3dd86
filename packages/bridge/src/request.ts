import { describeValue, type BridgeRequest } from "@codemode/protocol";
import { FieldReader, malformed } from "./fields.js";
import { BRIDGE_METHODS } from "./methods.js";

const FROM = "guest";

/**
 * Decodes a batch of requests. Untrusted: it comes out of a VM that ran hostile code. Ids must rise, and be above
 * `lastId`, the highest id of the cell's earlier batches.
 *
 * @throws {CodeModeError} `malformed_message`.
 */
export function decodeRequests(value: unknown, lastId = 0): BridgeRequest[] {
  if (!Array.isArray(value)) throw malformed(FROM, `requests must be an array, got ${describeValue(value)}`);
  let previousId = lastId;
  return Array.from(value as readonly unknown[], (item, index) => {
    const request = decodeRequest(item, `request ${index + 1}`);
    if (request.id <= previousId) {
      throw malformed(FROM, `request ${index + 1}: id ${request.id} does not come after ${previousId}`);
    }
    previousId = request.id;
    return request;
  });
}

function decodeRequest(value: unknown, what: string): BridgeRequest {
  const fields = new FieldReader(value, FROM, what);
  const id = fields.integer("id", 1);
  const request = readBody(fields, id, what);
  fields.finish();
  return request;
}

function readBody(fields: FieldReader, id: number, what: string): BridgeRequest {
  const method = fields.text("method");
  switch (method) {
    case "call":
      return { method, id, binding: fields.integer("binding", 0), input: fields.text("input") };
    case "search": {
      const query = fields.text("query");
      const limit = fields.optionalNumber("limit");
      return limit === undefined ? { method, id, query } : { method, id, query, limit };
    }
    case "describe":
      return { method, id, binding: fields.integer("binding", 0) };
    case "timer": {
      const delayMs = fields.number("delayMs", 0);
      const isInterval = fields.optionalBoolean("isInterval");
      return isInterval === undefined ? { method, id, delayMs } : { method, id, delayMs, isInterval };
    }
    case "yield": {
      const reason = fields.optionalText("reason");
      return reason === undefined ? { method, id } : { method, id, reason };
    }
    default:
      throw malformed(
        FROM,
        `${what}: method must be one of ${BRIDGE_METHODS.join(", ")}, got ${describeValue(method)}`,
      );
  }
}

/**
 * The input of a call, from its JSON text. Untrusted.
 *
 * @throws {CodeModeError} `malformed_message` when it is not the JSON text of one object.
 */
export function decodeInput(text: string): Record<string, unknown> {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch {
    throw malformed(FROM, "the input of a call is not JSON");
  }
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input as Record<string, unknown>;
  throw malformed(FROM, `the input of a call must be an object, got ${describeValue(input)}`);
}
