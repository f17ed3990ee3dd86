/** Seeded numbers: the same seed gives the same ones on any machine. */
export interface Random {
  /** From 0 up to 1, without 1. */
  fraction(): number;
  /** A whole number from `min` to `max`, both included. */
  whole(min: number, max: number): number;
  /** One of several; there has to be one. */
  pick<Item>(items: readonly Item[]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
  /** A sequence of its own: it depends on the seed and `label`, not on what was drawn before. */
  fork(label: string): Random;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // Mulberry32: 32 bits of state are plenty for choosing among cells.
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (min: number, max: number): number => min + Math.floor(fraction() * (max - min + 1));
  return {
    fraction,
    whole,
    pick: <Item>(items: readonly Item[]) => items[whole(0, items.length - 1)] as Item,
    shuffled(items) {
      const result = [...items];
      for (let at = result.length - 1; at > 0; at--) {
        const other = whole(0, at);
        [result[at], result[other]] = [result[other] as never, result[at] as never];
      }
      return result;
    },
    fork: (label) => createRandom(hash(`${seed} ${label}`)),
  };
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
