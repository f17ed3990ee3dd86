import type { Random } from "./random.js";

/** Anything with a share. */
export interface Weighted {
  readonly weight: number;
}

/**
 * So many items in random order, each kind as often as its weight says, and at least once where there is room for all.
 */
export function planItems<Kind extends Weighted>(kinds: readonly Kind[], count: number, random: Random): Kind[] {
  const total = kinds.reduce((sum, { weight }) => sum + weight, 0);
  const least = count >= kinds.length ? 1 : 0;
  const planned = kinds.flatMap((kind) =>
    Array.from({ length: Math.max(least, Math.floor((count * kind.weight) / total)) }, () => kind),
  );
  const [heaviest] = [...kinds].sort((a, b) => b.weight - a.weight);
  // What rounding left over goes to the kind with the largest share, which is also where too much is taken from.
  while (planned.length < count && heaviest !== undefined) planned.push(heaviest);
  while (planned.length > count) planned.splice(planned.indexOf(heaviest as Kind), 1);
  return random.shuffled(planned);
}
