import type { CodeModeOutput, EncodedJson, JsonValue, OutputDelta } from "@codemode/protocol";
import { utf8Bytes } from "./byte-length.js";
import { assertEncoding, parseEncoded } from "./encoded-json.js";
import { malformed } from "./fields.js";
import { jsonStringBytes } from "./json-string.js";
import { parseOutputItem, summaryItem, type ImageClaim } from "./output-item.js";
import { createOutputText } from "./output-text.js";
import { truncateError } from "./truncate-error.js";
import { markerFor } from "./truncation-marker.js";

export interface OutputLedgerOptions {
  /** Budget that output and the final value or error share, over all legs of a run, in serialized UTF-8 bytes. */
  readonly maxOutputBytes: number;
  /** What is shown of a picture or sound the guest hands on. Default: a worker that sends one is malformed. */
  readonly showImage?: (claim: ImageClaim) => CodeModeOutput;
}

/** What one result carries. Absent fields have nothing to say. */
export interface LedgerResult {
  readonly output?: CodeModeOutput[];
  readonly value?: JsonValue;
  readonly error?: string;
}

/** Keeps a run's output budget: what was written, what was delivered, what still fits. */
export interface OutputLedger {
  /**
   * Takes what the guest wrote in one leg. Untrusted: it comes from a worker.
   *
   * @throws {CodeModeError} `malformed_message`.
   */
  append(delta: OutputDelta): void;
  /**
   * What the next result carries: the items not delivered yet, or, when the whole output exceeds its share, one summary
   * of it, unless that summary was delivered already, and the images. `final` ends the run.
   *
   * @throws {CodeModeError} `malformed_message` when the value is not what its encoding says.
   */
  take(final?: { readonly value?: EncodedJson; readonly error?: string }): LedgerResult;
}

/** Images one run hands on. */
const MAX_IMAGES = 32;
/** `[{"type":"json","value":` and `}]`, which surround a summary's marker. */
const SUMMARY_FRAME_BYTES = JSON.stringify([{ type: "json", value: 0 }]).length - 1;

/** Shares: output and the final value or error each own half of the budget and donate what they do not use. */
export function createOutputLedger({ maxOutputBytes, showImage }: OutputLedgerOptions): OutputLedger {
  const written = createOutputText(maxOutputBytes);
  let undelivered: CodeModeOutput[] = [];
  let lastSummary: string | undefined;
  let images = 0;

  /** Images take nothing of the budget, so they are bounded by their number. */
  function imageOf(claim: ImageClaim): CodeModeOutput {
    images += 1;
    if (showImage !== undefined && images <= MAX_IMAGES) return showImage(claim);
    throw malformed("worker", `${images} images; ${showImage === undefined ? 0 : MAX_IMAGES} are taken`);
  }

  function takeOutput(shareBytes: number): { output?: CodeModeOutput[] } {
    const output = undelivered;
    undelivered = [];
    const whole = written.encoded();
    if (whole.isComplete && whole.bytes <= shareBytes) return output.length === 0 ? {} : { output };
    const summary = summaryItem(markerFor(whole, shareBytes - SUMMARY_FRAME_BYTES));
    const text = JSON.stringify(summary);
    const shown = output.filter(({ type }) => type === "image");
    if (text !== lastSummary) shown.unshift(summary);
    lastSummary = text;
    return shown.length === 0 ? {} : { output: shown };
  }

  return {
    append(delta) {
      for (const item of delta.items) {
        assertEncoding(item);
        const parsed = item.isComplete ? parseOutputItem(item.text) : undefined;
        if (parsed?.type === "image-claim") {
          undelivered.push(imageOf(parsed));
          continue;
        }
        written.append(item);
        if (parsed !== undefined && written.encoded().isComplete) undelivered.push(parsed);
      }
      assertOmitted(delta);
      written.skip(delta.omittedItems, delta.omittedBytes);
    },
    take(final = {}) {
      const half = Math.floor(maxOutputBytes / 2);
      const leftByOutput = Math.max(half, maxOutputBytes - written.encoded().bytes);
      if (final.error !== undefined) {
        const error = truncateError(final.error, leftByOutput);
        return { ...takeOutput(maxOutputBytes - jsonStringBytes(error)), error };
      }
      if (final.value === undefined) return takeOutput(maxOutputBytes);
      const { value, bytes } = boundEncoded(final.value, leftByOutput);
      return { ...takeOutput(maxOutputBytes - bytes), value };
    },
  };
}

function boundEncoded(encoded: EncodedJson, maxBytes: number): { value: JsonValue; bytes: number } {
  assertEncoding(encoded);
  if (encoded.isComplete && encoded.bytes <= maxBytes) {
    return { value: parseEncoded(encoded.text) as JsonValue, bytes: encoded.bytes };
  }
  const value = markerFor(encoded, maxBytes);
  return { value, bytes: utf8Bytes(JSON.stringify(value)) };
}

function assertOmitted({ omittedItems, omittedBytes }: OutputDelta): void {
  const isValid = Number.isSafeInteger(omittedItems) && Number.isSafeInteger(omittedBytes) && omittedItems >= 0;
  if (isValid && (omittedItems === 0 ? omittedBytes === 0 : omittedBytes >= omittedItems)) return;
  throw malformed("worker", `${omittedItems} omitted output items cannot have ${omittedBytes} bytes`);
}
