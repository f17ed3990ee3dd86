import { execute, toLowerCase } from "../../library-primordials.js";

const PLAIN = /^[ 0-9A-Za-z]*$/;

/**
 * Compares texts of ASCII letters, digits and spaces in the order of English, as the host does: first without regard to
 * case, then small letters before capital ones. Undefined for other texts.
 */
export function comparePlainTexts(one: string, other: string): number | undefined {
  if (execute(PLAIN, one) === null || execute(PLAIN, other) === null) return undefined;
  if (one === other) return 0;
  const smallOne = toLowerCase(one);
  const smallOther = toLowerCase(other);
  if (smallOne !== smallOther) return smallOne < smallOther ? -1 : 1;
  return one > other ? -1 : 1;
}
