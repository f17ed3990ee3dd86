import { createRandom, type Random } from "./random.js";
import { createRaceWorld, TIMEOUT_MS, TTL_MS, turns, type RaceWorld } from "./race-world.js";

/** One thing that may happen at any moment of a race. */
const MOVES = {
  exec: ({ calls, exec }: RaceWorld) => {
    if (calls.every(({ cell }) => cell === 0)) exec(1);
  },
  wait: ({ wait }: RaceWorld, random: Random) => wait(random.below(2)),
  settle: ({ open }: RaceWorld, random: Random) => take(open, random)?.resolve(null),
  reject: ({ open }: RaceWorld, random: Random) => take(open, random)?.reject(new Error("no")),
  abort: ({ calls }: RaceWorld, random: Random) => random.pick(calls)?.controller.abort(),
  press: ({ host }: RaceWorld) => host.executor.press(),
  freeWorker: ({ released }: RaceWorld) => released.worker.resolve(),
  freeClose: ({ released }: RaceWorld) => released.close.resolve(),
  margin: ({ host }: RaceWorld) => host.clock.jump((TIMEOUT_MS * 3) / 4),
  expire: ({ host }: RaceWorld) => host.clock.jump(TTL_MS),
  closeRun: ({ host }: RaceWorld) => void host.run.close(),
  closeSession: ({ host }: RaceWorld) => void host.host.closeSession("session-1"),
  closeHost: ({ host }: RaceWorld) => void host.host.close(),
} as const;

type Move = keyof typeof MOVES;

const COMMON: readonly Move[] = ["wait", "wait", "settle", "settle", "settle", "reject", "abort", "press", "margin"];
const ANY = Object.keys(MOVES) as readonly Move[];
const MAX_MOVES = 12;
/** Turns of the event loop between two moves, at most. A step of the fake guest takes three. */
const MAX_TURNS = 5;
/** More than the store needs for all that may be left to do. */
const REST_TURNS = 20;

/** How one race went. */
export interface RaceReport {
  readonly moves: readonly string[];
  readonly problems: readonly string[];
  /** How its calls ended, for the statistics of a test. */
  readonly endings: readonly string[];
}

/**
 * Plays one race: moves in an order, and with pauses between them, that depend on the seed alone. Then everything that is
 * still open settles, late, and the host is closed.
 */
export async function playRace(seed: number): Promise<RaceReport> {
  const random = createRandom(seed);
  const world = createRaceWorld(random);
  const moves: string[] = [];
  world.exec(0);
  for (let count = 3 + random.below(MAX_MOVES - 2); count > 0; count--) {
    const pause = random.below(MAX_TURNS + 1);
    const move = random.pick(random.below(2) === 0 ? COMMON : ANY);
    moves.push(`${pause} ${move}`);
    await turns(pause);
    MOVES[move](world, random);
  }
  await endRace(world, random);
  const endings = world.calls.map(({ ended }) => describeEnding(ended));
  return { moves, problems: await world.problems(), endings };
}

async function endRace({ host, open, released }: RaceWorld, random: Random): Promise<void> {
  released.worker.resolve();
  released.close.resolve();
  await turns(random.below(MAX_TURNS));
  if (random.below(2) === 0) await host.host.close();
  else {
    const closing = host.host.close();
    while (open.length > 0) take(open, random)?.resolve(null);
    await closing;
  }
  while (open.length > 0) take(open, random)?.resolve(null);
  await turns(REST_TURNS);
}

function take<Item>(items: Item[], random: Random): Item | undefined {
  return items.splice(random.below(Math.max(1, items.length)), 1)[0];
}

function describeEnding(ended: RaceWorld["calls"][number]["ended"]): string {
  if (ended === undefined) return "none";
  if (!("status" in ended)) return `threw ${ended.name}`;
  return ended.status === "failed" ? `failed ${ended.code ?? ""}`.trimEnd() : ended.status;
}
