/** Largest delay a timer of Node takes, in ms. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** In messages, after "must be". */
export const TIMER_RANGE = `a whole number from 1 to ${MAX_TIMER_MS}`;

export function isTimerMs(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_TIMER_MS;
}
