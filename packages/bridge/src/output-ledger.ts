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
  take(final?: FinalPart): LedgerResult;
  /**
   * The same, not delivered yet, in a result that holds at most `resultBytes` of it, at least 256. The run's budget stays
   * as it is: what was delivered earlier takes nothing of `resultBytes`. Until `deliver` is called nothing has happened.
   *
   * @throws {CodeModeError} as `take`.
   */
  draft(final?: FinalPart, resultBytes?: number): LedgerDraft;
}

/** What ends a run, if it ends. */
export interface FinalPart {
  readonly value?: EncodedJson;
  readonly error?: string;
}

export interface LedgerDraft {
  readonly result: LedgerResult;
  deliver(): void;
}

/** How much output may take: over all results, and of the next one. */
interface OutputShare {
  readonly runBytes: number;
  readonly resultBytes: number;
}

/** Images one run hands on. */
const MAX_IMAGES = 32;
/** `[{"type":"json","value":` and `}]`, which surround a summary's marker. */
const SUMMARY_FRAME_BYTES = JSON.stringify([{ type: "json", value: 0 }]).length - 1;

/** Shares: output and the final value or error each own half of the budget and donate what they do not use. */
export function createOutputLedger({ maxOutputBytes, showImage }: OutputLedgerOptions): OutputLedger {
  const written = createOutputText(maxOutputBytes);
  let undelivered: CodeModeOutput[] = [];
  let undeliveredBytes = 0;
  let lastSummary: string | undefined;
  let images = 0;

  /** Images take nothing of the budget, so they are bounded by their number. */
  function imageOf(claim: ImageClaim): CodeModeOutput {
    images += 1;
    if (showImage !== undefined && images <= MAX_IMAGES) return showImage(claim);
    throw malformed("worker", `${images} images; ${showImage === undefined ? 0 : MAX_IMAGES} are taken`);
  }

  function draftOutput({ runBytes, resultBytes }: OutputShare, rest: LedgerResult = {}): LedgerDraft {
    const whole = written.encoded();
    if (whole.isComplete && whole.bytes <= runBytes && undeliveredBytes <= resultBytes) {
      const output = undelivered;
      return { result: output.length === 0 ? rest : { output, ...rest }, deliver: () => deliver(lastSummary) };
    }
    const summary = summaryItem(markerFor(whole, Math.min(runBytes, resultBytes) - SUMMARY_FRAME_BYTES));
    const text = JSON.stringify(summary);
    const shown = undelivered.filter(({ type }) => type === "image");
    if (text !== lastSummary) shown.unshift(summary);
    const result = shown.length === 0 ? rest : { output: shown, ...rest };
    return { result, deliver: () => deliver(text) };
  }

  function deliver(summary: string | undefined): void {
    undelivered = [];
    undeliveredBytes = 0;
    lastSummary = summary;
  }

  function draft(final: FinalPart = {}, resultBytes = Infinity): LedgerDraft {
    const left = Math.min(
      leftBeside(maxOutputBytes, written.encoded().bytes),
      leftBeside(resultBytes, undeliveredBytes),
    );
    const share = (taken: number): OutputShare => ({
      runBytes: maxOutputBytes - taken,
      resultBytes: resultBytes - taken,
    });
    if (final.error !== undefined) {
      const error = truncateError(final.error, left);
      return draftOutput(share(jsonStringBytes(error)), { error });
    }
    if (final.value === undefined) return draftOutput(share(0));
    const { value, bytes } = boundEncoded(final.value, left);
    return draftOutput(share(bytes), { value });
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
        if (parsed === undefined || !written.encoded().isComplete) continue;
        undelivered.push(parsed);
        // With its comma, or the brackets around all.
        undeliveredBytes += item.bytes + (undeliveredBytes === 0 ? 2 : 1);
      }
      assertOmitted(delta);
      written.skip(delta.omittedItems, delta.omittedBytes);
    },
    take(final) {
      const { result, deliver: commit } = draft(final);
      commit();
      return result;
    },
    draft,
  };
}

/** What a budget leaves beside output of this size: at least half. */
function leftBeside(budgetBytes: number, outputBytes: number): number {
  return Math.max(Math.floor(budgetBytes / 2), budgetBytes - outputBytes);
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
