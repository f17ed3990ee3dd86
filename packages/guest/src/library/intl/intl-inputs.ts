import { NumberConstructor, RangeErrorConstructor, dateNow, timeOf, trunc } from "../../library-primordials.js";

const LAST_DAY_MS = 8.64e15;

/** A number as the host reads it: its kind, then its text. Text is a decimal number, read exactly. */
export function numberText(value: unknown): string {
  switch (typeof value) {
    case "number":
      return value === 0 && 1 / value < 0 ? "n-0" : `n${value}`;
    case "bigint":
      return `b${value}`;
    case "string":
      return `s${value}`;
    default:
      return `n${NumberConstructor(value)}`;
  }
}

/** Milliseconds since the epoch of a Date or a number; without one, of now. */
export function dateMs(value: unknown): number {
  const time = value === undefined ? dateNow() : timeValue(value);
  if (time >= -LAST_DAY_MS && time <= LAST_DAY_MS) return trunc(time);
  throw new RangeErrorConstructor("Invalid time value");
}

function timeValue(value: unknown): number {
  if (typeof value !== "object" || value === null) return NumberConstructor(value);
  try {
    return timeOf(value);
  } catch {
    return NumberConstructor(value);
  }
}
