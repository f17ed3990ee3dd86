/** One side of a comparison. */
export interface Contender {
  readonly name: string;
  /** @throws where it cannot run here; the error's message becomes the reason in the report. */
  open(): Promise<OpenContender>;
}

/** Owned: close it. */
export interface OpenContender {
  /** Does the work once and gives its figure. Preparation inside it is left out of the figure by the contender. */
  measure(): Promise<number>;
  close(): Promise<void>;
}

export interface InterleaveOptions {
  /** Repetitions of each side that are not counted. */
  readonly warmUps: number;
  /** A side stops after this many samples. */
  readonly maxSamples: number;
  /** The comparison ends with the round in which this is over, in ms; every side has then had one turn at least. */
  readonly budgetMs: number;
  /** How long one side goes on in its turn, in ms; once at least. */
  readonly turnMs: number;
  /** Monotonic, in ms. */
  now(): number;
  /** Called between two turns, so that what one side leaves behind does not fall into the next one's figures. */
  settle(): Promise<void>;
}

export type Samples =
  | { readonly name: string; readonly values: readonly number[] }
  | { readonly name: string; readonly unavailable: string };

/**
 * Runs the sides in turns, each round starting with another one, so that what the machine does meanwhile meets all of
 * them. A side that fails is out, with the reason, and the others go on.
 */
export async function interleave(contenders: readonly Contender[], options: InterleaveOptions): Promise<Samples[]> {
  const sides: Side[] = contenders.map((contender) => ({ contender, values: [] }));
  try {
    for (const side of sides) await attempt(side, () => prepare(side, options.warmUps));
    const endsAt = options.now() + options.budgetMs;
    for (let round = 0; round === 0 || options.now() < endsAt; round++) {
      const waiting = rotated(sides, round).filter((side) => isRunning(side, options));
      if (waiting.length === 0) break;
      for (const side of waiting) {
        await options.settle();
        await attempt(side, () => takeTurn(side, options));
      }
    }
  } finally {
    for (const side of sides) await side.open?.close();
  }
  return sides.map(({ contender: { name }, values, failure }) =>
    failure === undefined ? { name, values } : { name, unavailable: failure },
  );
}

interface Side {
  readonly contender: Contender;
  readonly values: number[];
  open?: OpenContender;
  failure?: string;
}

async function prepare(side: Side, warmUps: number): Promise<void> {
  side.open = await side.contender.open();
  for (let done = 0; done < warmUps; done++) await side.open.measure();
}

async function takeTurn({ open, values }: Side, options: InterleaveOptions): Promise<void> {
  const endsAt = options.now() + options.turnMs;
  do {
    if (open !== undefined) values.push(await open.measure());
  } while (values.length < options.maxSamples && options.now() < endsAt);
}

async function attempt(side: Side, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    side.failure = error instanceof Error ? error.message : String(error);
  }
}

function isRunning(side: Side, { maxSamples }: InterleaveOptions): boolean {
  return side.failure === undefined && side.values.length < maxSamples;
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % Math.max(1, items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}
