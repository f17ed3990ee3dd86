import { describeValue, type CodeModeOutput } from "@codemode/protocol";
import { parseEncoded } from "./encoded-json.js";
import { FieldReader, malformed } from "./fields.js";
import type { TruncationMarker } from "./truncation-marker.js";

const FROM = "worker";
const MAX_CLAIM_CHARS = 1_024;

/** A picture or sound the guest hands on: one that stayed with the host, or a small one as it is. */
export interface ImageClaim {
  readonly type: "image-claim";
  readonly kind: "image" | "audio";
  readonly mimeType: string;
  readonly ref?: string;
  /** Base64, it says. */
  readonly data?: string;
}

/**
 * One output item from its JSON text. Untrusted: the guest wrote it.
 *
 * @throws {CodeModeError} `malformed_message`.
 */
export function parseOutputItem(text: string): Exclude<CodeModeOutput, { type: "image" }> | ImageClaim {
  const fields = new FieldReader(parseEncoded(text), FROM, "output item");
  const type = fields.text("type");
  const item = type === "image" ? readClaim(fields) : readItem(type, fields);
  fields.finish();
  return item;
}

function readItem(type: string, fields: FieldReader): Exclude<CodeModeOutput, { type: "image" }> {
  if (type === "text") return { type, text: fields.text("text") };
  if (type === "json") return { type, value: fields.any("value") };
  throw malformed(FROM, `output item: type must be text, json or image, got ${describeValue(type)}`);
}

function readClaim(fields: FieldReader): ImageClaim {
  const kind = fields.text("kind");
  if (kind !== "image" && kind !== "audio") {
    throw malformed(FROM, `output item: kind must be image or audio, got ${describeValue(kind)}`);
  }
  const [ref, data] = [fields.optionalText("ref"), fields.optionalText("data")];
  if ((ref === undefined) === (data === undefined) || (ref ?? data ?? "").length > MAX_CLAIM_CHARS) {
    throw malformed(FROM, `output item: an image has either a ref or data, of at most ${MAX_CLAIM_CHARS} characters`);
  }
  const mimeType = fields.text("mimeType");
  return {
    type: "image-claim",
    kind,
    mimeType,
    ...(ref === undefined ? {} : { ref }),
    ...(data === undefined ? {} : { data }),
  };
}

/** The item that stands for the whole output. */
export function summaryItem(value: TruncationMarker): CodeModeOutput {
  return { type: "json", value };
}
