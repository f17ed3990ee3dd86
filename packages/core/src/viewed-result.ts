import type { FinalPart, LedgerDraft, LedgerResult } from "@codemode/bridge";
import type { CodeModeFailedResult, CodeModeResult } from "@codemode/protocol";
import type { Cell } from "./cell.js";
import { fitContent, type Fitting } from "./fit-content.js";
import type { ModelView } from "./model-view.js";
import { namesOf, wrapContent, type WrappedContent } from "./wrap-untrusted.js";

/** UTF-16 units take at most three bytes. */
const MAX_BYTES_PER_CHAR = 3;

export interface ViewedParts {
  readonly view: ModelView;
  readonly final: FinalPart;
  /** The whole result around the content. Pure. */
  envelope(content: LedgerResult): CodeModeResult;
}

interface Attempt extends Fitting {
  readonly draft: LedgerDraft;
  readonly result: CodeModeResult;
}

/**
 * The result as the model may be given it: wrapped when the cell called something untrusted, and with as much of the
 * original content as the model's limits leave beside the envelope. `output_limit_exceeded` when nothing fits.
 */
export function viewedResult(cell: Cell, { view, final, envelope }: ViewedParts): CodeModeResult {
  const { maxResultChars, untrusted } = view;
  const sources = cell.untrustedSources;
  const maxContentChars = untrusted === undefined || sources === undefined ? Infinity : untrusted.maxChars;

  function shown(content: LedgerResult): WrappedContent {
    if (untrusted === undefined || sources === undefined) return { content, chars: 0 };
    const source = namesOf(sources);
    return wrapContent(content, (text) => untrusted.wrap(text, source));
  }

  function attempt(bytes: number): Attempt {
    const draft = cell.output.draft(final, bytes);
    const { content, chars } = shown(draft.result);
    const result = envelope(content);
    const resultChars = maxResultChars === Infinity ? 0 : JSON.stringify(result).length;
    return { draft, result, excess: Math.max(resultChars - maxResultChars, chars - maxContentChars) };
  }

  if (maxResultChars === Infinity && maxContentChars === Infinity) return delivered(attempt(Infinity));
  const { maxOutputBytes } = cell.run.limits;
  // Wrapped output loses the frames of its items, so that more of it may fit.
  const isPlain = maxContentChars === Infinity;
  const maxBytes = isPlain ? Math.min(maxOutputBytes, MAX_BYTES_PER_CHAR * maxResultChars) : maxOutputBytes;
  const best = fitContent(maxBytes, attempt);
  return best === undefined ? tooSmall(cell, view) : delivered(best);
}

function delivered({ draft, result }: Attempt): CodeModeResult {
  draft.deliver();
  return result;
}

/** Only what must be said: the cell ends, and what its calls may have done. */
function tooSmall(cell: Cell, { maxResultChars, untrusted }: ModelView): CodeModeFailedResult {
  const chars = Math.min(maxResultChars, untrusted?.maxChars ?? Infinity);
  const failed: CodeModeFailedResult = {
    status: "failed",
    error: `the result does not fit into ${chars} characters even without its content.`,
    code: "output_limit_exceeded",
    failurePhase: "host",
    calls: [],
    replaySafe: cell.isReplaySafe,
    telemetry: cell.telemetry.snapshot(),
  };
  const room = maxResultChars - JSON.stringify(failed).length + "[]".length;
  return { ...failed, calls: cell.effects.last(room).rows };
}
