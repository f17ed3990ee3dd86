import { describeValue, type CodeModeOutput } from "@codemode/protocol";
import { parseEncoded } from "./encoded-json.js";
import { FieldReader, malformed } from "./fields.js";
import type { TruncationMarker } from "./truncation-marker.js";

const FROM = "worker";

/**
 * One output item from its JSON text. Untrusted: the guest wrote it.
 *
 * @throws {CodeModeError} `malformed_message`.
 */
export function parseOutputItem(text: string): CodeModeOutput {
  const fields = new FieldReader(parseEncoded(text), FROM, "output item");
  const type = fields.text("type");
  if (type !== "text" && type !== "json") {
    throw malformed(FROM, `output item: type must be text or json, got ${describeValue(type)}`);
  }
  const item: CodeModeOutput =
    type === "text" ? { type, text: fields.text("text") } : { type, value: fields.any("value") };
  fields.finish();
  return item;
}

/** The item that stands for the whole output. */
export function summaryItem(value: TruncationMarker): CodeModeOutput {
  return { type: "json", value };
}
