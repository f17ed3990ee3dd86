import { malformed, textOf } from "./library-request.js";

/** Longest number given as text, in characters. */
const MAX_NUMBER_CHARS = 10_000;
/** Decimal text whose exponent cannot blow up the number of digits. */
const MODEST_DECIMAL = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?\s*$/i;
const LAST_DAY_MS = 8.64e15;

/** A number as the guest writes it: its kind, `n`, `b` or `s` (number, BigInt, decimal text), then its text. */
export function numberOf(value: unknown): number | bigint {
  const text = textOf(value, "number");
  const digits = textOf(text.slice(1), "number", MAX_NUMBER_CHARS);
  switch (text[0]) {
    case "n":
      return Number(digits);
    case "b":
      return BigInt(digits);
    case "s":
      // Formatters read decimal text exactly; the type declarations know only numbers.
      return MODEST_DECIMAL.test(digits) ? (digits as unknown as number) : Number(digits);
    default:
      throw malformed("number");
  }
}

/** Milliseconds since the epoch. */
export function dateOf(value: unknown): number {
  if (typeof value === "number" && Math.abs(value) <= LAST_DAY_MS) return value;
  throw new RangeError("Invalid time value");
}
