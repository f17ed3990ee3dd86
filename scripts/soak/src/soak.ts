import { createCallLedger, type CallLedger } from "./call-ledger.js";
import { findLeftovers, type CheckpointParts } from "./checkpoint.js";
import { createGates, type Gates } from "./gates.js";
import { createKindCounts, type KindCounts } from "./kind-counts.js";
import { ALL_KINDS } from "./kinds/all-kinds.js";
import type { CellKind } from "./kinds/kind.js";
import { unexplainedLosses, type Loss, type Span } from "./losses.js";
import { memoryTrends, sampleMemory, type MemorySample } from "./memory.js";
import { planItems } from "./plan.js";
import { playCell, type CellSetting } from "./play-cell.js";
import { createProblemList, type ProblemList } from "./problems.js";
import { createRandom, type Random } from "./random.js";
import type { SoakReport } from "./report.js";
import { readResources, resourcesBeyond } from "./resources.js";
import { fillAllSlots } from "./slots.js";
import { createSoakHost, type SoakHost } from "./soak-host.js";
import { createThreadPages, type ThreadPages } from "./thread-pages.js";
import { watchThreads, type ThreadWatch } from "./threads.js";
import { watchTimers, type TimerWatch } from "./watch-timers.js";

export interface SoakOptions {
  readonly seed: number;
  readonly cells: number;
  /** Kinds of cells to play, by name; all when there are none. */
  readonly kinds: readonly string[];
  /** Most worker threads. */
  readonly workers: number;
  /** Cells that are open at a time. */
  readonly inFlight: number;
  /** Told of each cell that is over. */
  onCell(done: number): void;
}

/** One thread in so many starts of a cell is killed from outside. */
const KILL_SHARE = 0.004;
const SHARED_RUNS = 3;

/** State of one soak. */
interface Soak {
  readonly options: SoakOptions;
  readonly random: Random;
  readonly host: SoakHost;
  readonly ledger: CallLedger;
  readonly gates: Gates;
  readonly threads: ThreadWatch;
  readonly pages: ThreadPages;
  readonly timers: TimerWatch;
  readonly ownTimers: number;
  readonly problems: ProblemList;
  readonly kinds: KindCounts;
  readonly kills: Span[];
  readonly losses: Loss[];
  readonly leftovers: string[];
  readonly samples: MemorySample[];
  done: number;
}

/** Plays the cells and judges everything. Needs `--expose-gc`. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const startedAt = new Date();
  const before = readResources();
  const state = openSoak(options);
  const kinds = ALL_KINDS.filter(({ name }) => options.kinds.length === 0 || options.kinds.includes(name));
  const plan = planItems(kinds, options.cells, state.random.fork("plan"));
  const batchSize = Math.min(100, Math.max(25, Math.ceil(options.cells / 100)));
  for (let first = 0; first < plan.length; first += batchSize) {
    await playBatch(state, plan.slice(first, first + batchSize), first);
  }
  await closeSoak(state);
  state.leftovers.push(...resourcesBeyond(before, readResources()).map((what) => `${what} at the end`));
  return reportOf(state, startedAt);
}

function openSoak(options: SoakOptions): Soak {
  const problems = createProblemList();
  const report = (problem: string): void => problems.add(problem);
  const timers = watchTimers();
  const threads = watchThreads();
  const pages = createThreadPages(options.cells);
  const ledger = createCallLedger(report);
  const gates = createGates();
  const killThreadOf = (cell: number): void => {
    const threadId = pages.threadOf(cell);
    const death = threadId === undefined ? undefined : threads.kill(threadId);
    if (death === undefined) report(`cell ${cell}: its thread is not alive`);
  };
  const ownTimers = timers.active().length;
  return {
    options,
    random: createRandom(options.seed),
    host: createSoakHost({ ledger, gates, killThreadOf, report }, options.workers),
    ledger,
    gates,
    threads,
    pages,
    timers,
    ownTimers,
    problems,
    kinds: createKindCounts(ALL_KINDS),
    kills: [],
    losses: [],
    leftovers: [],
    samples: [],
    done: 0,
  };
}

async function playBatch(state: Soak, kinds: readonly CellKind[], first: number): Promise<void> {
  const { host, ledger, gates, options } = state;
  const { signal } = new AbortController();
  const runs = Array.from({ length: SHARED_RUNS }, (_, variant) =>
    host.openRun({ sessionId: `batch from ${first}, ${variant}`, variant }),
  );
  const losses: Loss[] = [];
  let next = 0;
  const player = async (): Promise<void> => {
    for (let at = next++; at < kinds.length; at = next++) {
      const run = runs[at % SHARED_RUNS];
      if (run === undefined) throw new Error("a batch has runs");
      const setting = { soak: host, ledger, gates, run, signal, onLoss: (loss: Loss) => losses.push(loss) };
      await playOne(state, setting, { kind: kinds[at] as CellKind, cell: first + at });
    }
  };
  await Promise.all(Array.from({ length: options.inFlight }, player));
  await Promise.all(runs.map((run) => run.close()));
  state.losses.push(...losses);
  await checkpoint(state, signal);
}

async function playOne(
  state: Soak,
  setting: CellSetting,
  { kind, cell }: { readonly kind: CellKind; readonly cell: number },
): Promise<void> {
  const random = state.random.fork(`cell ${cell}`);
  if (random.fraction() < KILL_SHARE) killAnyThread(state, random);
  const { ending, problem } = await playCell(setting, kind, { cell, random });
  state.kinds.count(kind, ending);
  if (problem !== undefined) state.problems.add(`cell ${cell}, ${kind.name}: ${problem}`);
  state.done += 1;
  state.options.onCell(state.done);
}

function killAnyThread({ threads, kills }: Soak, random: Random): void {
  const alive = threads.alive();
  if (alive.length === 0) return;
  const from = performance.now();
  void threads.kill(random.pick(alive))?.then(() => kills.push({ from, to: performance.now() }));
}

async function checkpoint(state: Soak, sharedSignal: AbortSignal): Promise<void> {
  state.ledger.forgetEnded();
  const leftovers = await findLeftovers(checkpointParts(state, sharedSignal));
  state.leftovers.push(...leftovers.map((what) => `${what} after ${state.done} cells`));
  state.samples.push(sampleMemory(state.done));
}

function checkpointParts(state: Soak, sharedSignal: AbortSignal): CheckpointParts {
  const { host, threads, pages, timers, ownTimers } = state;
  return { soak: host, threads, pages, timers, ownTimers, sharedSignal };
}

/** All slots have to be free, and after closing no thread may be left. */
async function closeSoak(state: Soak): Promise<void> {
  for (const problem of await fillAllSlots(state.host)) state.problems.add(problem);
  await state.host.close();
  const { signal } = new AbortController();
  const leftovers = await findLeftovers(checkpointParts(state, signal));
  const threads = state.threads.alive().length;
  if (threads > 0) leftovers.push(`${threads} threads`);
  state.leftovers.push(...leftovers.map((what) => `${what} after closing`));
  state.threads.stop();
  state.timers.stop();
}

function reportOf(state: Soak, startedAt: Date): SoakReport {
  const { options, host, kills, losses, leftovers, samples, problems } = state;
  const unexplained = unexplainedLosses(losses, kills);
  const trends = memoryTrends(samples);
  for (const what of leftovers) problems.add(`left behind: ${what}`);
  for (const { cell } of unexplained) problems.add(`cell ${cell}: lost with a thread that nobody killed`);
  for (const { figure, verdict } of trends) if (verdict === "growing") problems.add(`memory: ${figure} grows`);
  return {
    startedAt: startedAt.toISOString(),
    seed: options.seed,
    cells: options.cells,
    workers: options.workers,
    inFlight: options.inFlight,
    seconds: (Date.now() - startedAt.getTime()) / 1_000,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    kinds: state.kinds.reports(),
    totals: {
      calls: state.ledger.count(),
      vms: state.pages.opened(),
      parks: host.executor.parks(),
      resumes: host.executor.resumes(),
      storeParks: host.store.parked(),
      threadsStarted: state.threads.started(),
      workerExits: host.events.workerExits(),
    },
    kills: { count: kills.length, lostCells: losses.length, unexplained },
    leftovers,
    memory: { trends, samples },
    problems: problems.list(),
  };
}
