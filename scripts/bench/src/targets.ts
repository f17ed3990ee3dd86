import type { Target, Unit } from "./report.js";

interface Bound {
  readonly text: string;
  /** Undefined when it was not measured. */
  readonly actual: number | undefined;
  /** Undefined when it follows from something that was not measured. */
  readonly limit: number | undefined;
  readonly unit: Unit;
}

/** A target that is met by `actual` up to `limit`. */
export function atMost(bound: Bound): Target {
  return target(bound, (actual, limit) => actual <= limit);
}

/** A target that is met by `actual` from `limit` on. */
export function atLeast(bound: Bound): Target {
  return target(bound, (actual, limit) => actual >= limit);
}

function target({ text, actual, limit, unit }: Bound, isMet: (actual: number, limit: number) => boolean): Target {
  const figures = { ...(actual === undefined ? {} : { actual }), ...(limit === undefined ? {} : { limit }) };
  if (actual === undefined || limit === undefined) return { text, status: "not measured", ...figures, unit };
  return { text, status: isMet(actual, limit) ? "met" : "missed", ...figures, unit };
}
