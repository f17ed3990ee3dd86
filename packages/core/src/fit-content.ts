/** Least content a result is tried with, in bytes: two markers and what frames them. */
const MIN_CONTENT_BYTES = 256;

/** One try. `excess` above 0: so many characters too long. */
export interface Fitting {
  readonly excess: number;
}

/**
 * The try that leaves the least room unused without an excess, among budgets of `MIN_CONTENT_BYTES` to `maxBytes`; undefined when
 * not even the least fits. Tries grow with their budget, up to jumps where a whole text takes the place of a cut one.
 */
export function fitContent<Try extends Fitting>(maxBytes: number, attempt: (bytes: number) => Try): Try | undefined {
  const whole = attempt(maxBytes);
  if (whole.excess <= 0) return whole;
  let best = attempt(MIN_CONTENT_BYTES);
  if (best.excess > 0) return undefined;
  let low = { bytes: MIN_CONTENT_BYTES, excess: best.excess };
  let high = { bytes: maxBytes, excess: whole.excess };
  for (let turn = 0; high.bytes - low.bytes > 1; turn++) {
    const bytes = turn % 2 === 0 ? crossing(low, high) : Math.floor((low.bytes + high.bytes) / 2);
    const next = attempt(bytes);
    if (next.excess > 0) high = { bytes, excess: next.excess };
    else {
      low = { bytes, excess: next.excess };
      best = next;
    }
    if (next.excess === 0) break;
  }
  return best;
}

interface Point extends Fitting {
  readonly bytes: number;
}

/** Where the excess would be 0 if it grew evenly, strictly between the two. */
function crossing(low: Point, high: Point): number {
  const share = -low.excess / (high.excess - low.excess);
  const bytes = low.bytes + Math.floor((high.bytes - low.bytes) * share);
  return Math.min(Math.max(bytes, low.bytes + 1), high.bytes - 1);
}
