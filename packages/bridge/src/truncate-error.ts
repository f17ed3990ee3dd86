import { cutJsonString, jsonStringBytes } from "./json-string.js";
import { wellFormed } from "./primordials.js";

const SUFFIX = " [error truncated]";

/**
 * An error message whose JSON string takes at most `maxBytes`. A longer one keeps its head, where the cause is, and ends
 * with " [error truncated]".
 */
export function truncateError(message: string, maxBytes: number): string {
  const whole = wellFormed(message);
  if (jsonStringBytes(whole) <= maxBytes) return whole;
  return cutJsonString(cutJsonString(whole, maxBytes - SUFFIX.length) + SUFFIX, maxBytes);
}
