import { Uint8ArrayConstructor, charCodeAt, lowerCase, textStartsWith } from "./primordials.js";

/** Longer names are compared by their start only. */
const MAX_LENGTH = 64;
/** A form of a name is so long, and shares so much of the longer one. */
const MIN_FORM_LENGTH = 4;
const MIN_FORM_SHARE = 0.4;

/**
 * The candidate that a wrong name most likely means: the same but for case and separators, else one a few typing errors
 * away, else one that continues the name or is continued by it (`allowsForms`). Undefined where none is near. Symbols are passed over.
 */
export function closestName(
  name: string,
  candidates: readonly PropertyKey[],
  { allowsForms = true }: { readonly allowsForms?: boolean } = {},
): string | undefined {
  const wanted = bareName(name);
  let nearest: string | undefined;
  let nearestDistance = maxDistance(wanted.length) + 1;
  let form: string | undefined;
  for (let index = 0; index < candidates.length; index++) {
    const candidate = candidates[index];
    if (typeof candidate !== "string") continue;
    const text = bareName(candidate);
    if (text === wanted && text !== "") return candidate;
    const distance = distanceBelow(nearestDistance, wanted, text);
    if (distance < nearestDistance) {
      nearest = candidate;
      nearestDistance = distance;
    } else if (allowsForms && form === undefined && isFormOf(wanted, text)) {
      form = candidate;
    }
  }
  return nearest ?? form;
}

/** Letters and digits only, in lower case: `create_issue` and `createIssue` are the same. */
function bareName(name: string): string {
  const text = lowerCase(name);
  let bare = "";
  for (let index = 0; index < text.length && bare.length < MAX_LENGTH; index++) {
    const unit = charCodeAt(text, index);
    if ((unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57)) bare += text[index];
  }
  return bare;
}

function maxDistance(length: number): number {
  return length < 4 ? 0 : length < 8 ? 1 : 2;
}

function isFormOf(a: string, b: string): boolean {
  const longer = a.length > b.length ? a : b;
  const shorter = longer === a ? b : a;
  if (shorter.length < MIN_FORM_LENGTH) return false;
  return shorter.length >= longer.length * MIN_FORM_SHARE && textStartsWith(longer, shorter);
}

/** Typing errors (a letter more, less, other, or two swapped) between two names; `limit` or more is given as `limit`. */
function distanceBelow(limit: number, a: string, b: string): number {
  if (a.length - b.length >= limit || b.length - a.length >= limit) return limit;
  let beforeLast = new Uint8ArrayConstructor(b.length + 1);
  let last = new Uint8ArrayConstructor(b.length + 1);
  let row = new Uint8ArrayConstructor(b.length + 1);
  for (let column = 0; column <= b.length; column++) last[column] = column;
  for (let line = 1; line <= a.length; line++) {
    let smallest = line;
    row[0] = line;
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[line - 1] === b[column - 1];
      let cost = (last[column - 1] as number) + (isSame ? 0 : 1);
      if ((last[column] as number) + 1 < cost) cost = (last[column] as number) + 1;
      if ((row[column - 1] as number) + 1 < cost) cost = (row[column - 1] as number) + 1;
      const isSwap = line > 1 && column > 1 && a[line - 1] === b[column - 2] && a[line - 2] === b[column - 1];
      if (isSwap && (beforeLast[column - 2] as number) + 1 < cost) cost = (beforeLast[column - 2] as number) + 1;
      row[column] = cost;
      if (cost < smallest) smallest = cost;
    }
    if (smallest >= limit) return limit;
    const free = beforeLast;
    beforeLast = last;
    last = row;
    row = free;
  }
  const distance = last[b.length] as number;
  return distance < limit ? distance : limit;
}
