import { describeValue, type BridgeReply, type PlainError } from "@codemode/protocol";
import { malformed, readFields } from "./fields.js";

const FROM = "host";

/** JSON text of settled requests, in settlement order. */
export function encodeReplies(replies: readonly BridgeReply[]): string {
  return JSON.stringify(replies);
}

/**
 * Decodes what `encodeReplies` wrote. Ids must not repeat.
 *
 * @throws {CodeModeError} `malformed_message`.
 */
export function decodeReplies(text: string): BridgeReply[] {
  const ids = new Set<number>();
  return parseArray(text).map((item, index) => {
    const reply = decodeReply(item, `reply ${index + 1}`);
    if (ids.has(reply.id)) throw malformed(FROM, `reply ${index + 1}: id ${reply.id} came before`);
    ids.add(reply.id);
    return reply;
  });
}

function parseArray(text: string): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed(FROM, "replies are not JSON");
  }
  if (Array.isArray(value)) return value as readonly unknown[];
  throw malformed(FROM, `replies must be an array, got ${describeValue(value)}`);
}

function decodeReply(value: unknown, what: string): BridgeReply {
  const fields = readFields(value, FROM, what);
  const id = fields.integer("id", 1);
  const ok = fields.boolean("ok");
  const reply: BridgeReply = ok
    ? { id, ok, value: fields.text("value") }
    : { id, ok, error: decodePlainError(fields.message("error")) };
  fields.finish();
  return reply;
}

function decodePlainError(fields: ReturnType<typeof readFields>): PlainError {
  const name = fields.text("name");
  const message = fields.text("message");
  const code = fields.optionalText("code");
  fields.finish();
  return code === undefined ? { name, message } : { name, message, code };
}
