import type { PreparedSource, SourceLocation, VmFailure } from "@codemode/protocol";
import { explainError, explainFailedCall } from "./explanations.js";
import { findPlace } from "./failed-place.js";
import { loadParser } from "./parse-source.js";
import { engineOffset, locationInSubmitted } from "./positions.js";

/** A failure as the reader of the submitted source is told of it. */
export interface ExplainedFailure {
  readonly message: string;
  readonly location?: SourceLocation;
}

export type FailureExplainer = (prepared: PreparedSource, failure: VmFailure) => ExplainedFailure;

/**
 * Loads the parser and gives the function that finds an uncaught error's place in the submitted source, and the words
 * that the source adds to it: what was called, what was not awaited. It parses the source again, so only failures cost.
 */
export async function loadFailureExplainer(): Promise<FailureExplainer> {
  const parse = await loadParser();
  return (prepared, { message, phase, position }) => {
    if (position === undefined) return { message };
    const known = engineOffset(prepared.code, position);
    const outcome = parse(prepared.code);
    const place = "parsed" in outcome ? findPlace(outcome.parsed, known ?? 0) : undefined;
    const explanation = place && (phase === "bridge" ? explainFailedCall(place) : explainError(place, message));
    const location = firstLocation(prepared, [explanation?.offset, known]);
    return { message: explanation?.message ?? message, ...(location !== undefined && { location }) };
  };
}

function firstLocation(prepared: PreparedSource, offsets: readonly (number | undefined)[]): SourceLocation | undefined {
  for (const offset of offsets) {
    const location = offset === undefined ? undefined : locationInSubmitted(prepared, offset);
    if (location !== undefined) return location;
  }
  return undefined;
}
