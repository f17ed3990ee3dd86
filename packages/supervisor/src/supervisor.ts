import {
  CodeModeError,
  describeValue,
  type CellExecutor,
  type CellSession,
  type CellSessionOptions,
  type CodeModeEvent,
  type WorkerExitReason,
} from "@codemode/protocol";
import { createCompileCache } from "./compile-cache.js";
import { CompileThread, type CompileAnswer, type CompileRequest } from "./compile-thread.js";
import { CellExchange, type ExchangePool } from "./exchange.js";
import { resolveOptions, type ResolvedOptions, type SupervisorOptions } from "./options.js";
import { createPressure, type Occupant, type WorkerUse } from "./pressure.js";
import { createSlotQueue, type QueueRefusal } from "./queue.js";
import { PooledSession, type SessionPool } from "./session.js";
import { WorkerSlot, type SlotListener } from "./slot.js";

export interface SupervisorStats {
  /** Threads that run cells or could: starting, idle, busy and ending ones. */
  readonly workers: number;
  /** Workers that hold a cell, one that waits at a boundary included. */
  readonly busy: number;
  /** Cells that wait for a worker. */
  readonly queued: number;
}

/** A local pool of worker threads. Owned: close it. */
export interface Supervisor extends CellExecutor {
  stats(): SupervisorStats;
}

/**
 * Creates a pool; it starts no thread before it has to. An idle pool does not keep the process alive.
 *
 * @throws {CodeModeError} `invalid_argument`.
 */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  return new ThreadPool(resolveOptions(options));
}

const CACHE_LIMITS = { maxEntries: 256, maxChars: 8 * 1024 * 1024 };

class ThreadPool implements Supervisor, SessionPool, SlotListener, ExchangePool {
  readonly #options: ResolvedOptions;
  readonly #queue = createSlotQueue<WorkerSlot>();
  readonly #pressure = createPressure();
  readonly #slots = new Set<WorkerSlot>();
  readonly #starting = new Set<WorkerSlot>();
  /** With the timers that retire them; least recently used first. */
  readonly #idle = new Map<WorkerSlot, NodeJS.Timeout>();
  readonly #sessions = new Set<CellSession>();
  readonly #compiler: CompileThread;
  #lastWorkerId = 0;
  #hasFallenBack = false;
  #closing: Promise<void> | undefined;

  constructor(options: ResolvedOptions) {
    this.#options = options;
    const cache = createCompileCache(CACHE_LIMITS);
    this.#compiler = new CompileThread({ workerUrl: options.workerUrl, cache });
  }

  /**
   * Starts `minWorkers` workers, at least one, and with `typescript` loads the compiler.
   *
   * @throws {CodeModeError} `runtime_unavailable` when one cannot start, `closed`.
   */
  async prewarm(options: { readonly typescript?: boolean } = {}): Promise<void> {
    this.#assertOpen();
    const compiler = options.typescript === true ? this.#compiler.warm() : true;
    while (this.#slots.size < Math.max(1, this.#options.minWorkers)) this.#startSlot({ isAwaited: false });
    const outcomes = await Promise.all([...this.#starting].map((slot) => slot.started));
    const isCompilerLoaded = await compiler;
    this.#assertOpen();
    for (const outcome of outcomes) {
      if (outcome !== "ready") throw unavailable("a worker thread could not be started", outcome.endedBy);
    }
    if (!isCompilerLoaded) throw unavailable("the compile thread could not be started");
  }

  /** @throws {CodeModeError} `closed`. */
  openSession(options: CellSessionOptions): CellSession {
    this.#assertOpen();
    const session = new PooledSession(options, this);
    this.#sessions.add(session);
    return session;
  }

  stats(): SupervisorStats {
    const busy = [...this.#slots].filter((slot) => slot.state === "held").length;
    return { workers: this.#slots.size, busy, queued: this.#queue.size };
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  now(): number {
    return performance.now();
  }

  /** The cell needs a worker next, so one starts meanwhile. */
  compile(request: CompileRequest): Promise<CompileAnswer> {
    const answer = this.#compiler.compile(request);
    const isWorkerNear = this.#idle.size > 0 || this.#starting.size > 0;
    if (!isWorkerNear && this.#slots.size < this.#options.maxWorkers) this.#startSlot({ isAwaited: true });
    return answer;
  }

  take(options: CellSessionOptions): CellExchange | undefined {
    if (this.#queue.size > 0) return undefined;
    const slot = [...this.#idle.keys()].findLast(({ state }) => state === "idle");
    if (slot === undefined) return undefined;
    this.#takeIdle(slot);
    return this.#claim(slot, options);
  }

  acquire(options: CellSessionOptions, remainingMs: number, signal: AbortSignal): Promise<CellExchange | QueueRefusal> {
    const exchange = this.#queue.wait((slot) => this.#claim(slot, options), remainingMs, signal);
    this.#assign();
    return exchange;
  }

  onOver(session: CellSession): void {
    this.#sessions.delete(session);
  }

  onIdle(slot: WorkerSlot): void {
    this.#starting.delete(slot);
    this.#idle.set(slot, setTimeout(() => this.#retire(slot), this.#options.idleTimeoutMs).unref());
    this.#assign();
  }

  onFallback({ workerId }: WorkerSlot, reason: string): void {
    if (this.#hasFallenBack) return;
    this.#hasFallenBack = true;
    this.#emit({ type: "runtime-fallback", workerId, reason });
  }

  onUse(occupant: Occupant, use: WorkerUse): void {
    this.#pressure.onUse(occupant, use);
    // Once a cell is over its slot comes back, and goes to a queued cell before anybody is asked.
    if (use !== "over") this.#relieve();
  }

  expectsPark(): boolean {
    return this.#pressure.expectsPark(this.#queue.size - this.#starting.size);
  }

  onGone(slot: WorkerSlot, reason: WorkerExitReason): void {
    const neverWorked = this.#starting.delete(slot);
    this.#slots.delete(slot);
    this.#takeIdle(slot);
    this.#emit({ type: "worker-exit", workerId: slot.workerId, reason });
    if (!neverWorked) return this.#assign();
    // With other workers alive the queue has somebody to wait for; without, each cell gets one attempt of its own.
    if (this.#slots.size > 0) return;
    this.#queue.refuse();
    this.#assign();
  }

  #claim(slot: WorkerSlot, options: CellSessionOptions): CellExchange {
    return new CellExchange(slot, options, this);
  }

  /** Gives idle workers to waiting cells, most recently used first, and starts or frees what is missing. */
  #assign(): void {
    for (const slot of [...this.#idle.keys()].reverse()) {
      if (this.#queue.size === 0) break;
      if (slot.state !== "idle") continue;
      this.#takeIdle(slot);
      this.#queue.grant(slot);
    }
    while (this.#starting.size < this.#queue.size && this.#slots.size < this.#options.maxWorkers) {
      this.#startSlot({ isAwaited: true });
    }
    this.#relieve();
  }

  /** Asks for as many workers as are missing beyond those that start. */
  #relieve(): void {
    this.#pressure.relieve(this.#queue.size - this.#starting.size);
  }

  #startSlot({ isAwaited }: { isAwaited: boolean }): void {
    const workerId = ++this.#lastWorkerId;
    const slot = new WorkerSlot({ workerId, workerUrl: this.#options.workerUrl, listener: this, isAwaited });
    this.#slots.add(slot);
    this.#starting.add(slot);
    this.#emit({ type: "worker-start", workerId });
  }

  #takeIdle(slot: WorkerSlot): void {
    clearTimeout(this.#idle.get(slot));
    this.#idle.delete(slot);
  }

  #retire(slot: WorkerSlot): void {
    const alive = [...this.#slots].filter(({ state }) => state !== "stopping" && state !== "dying").length;
    if (alive > this.#options.minWorkers) slot.stop();
  }

  async #end(): Promise<void> {
    const endings = [...this.#sessions].map((session) => session.close());
    for (const slot of this.#slots) {
      slot.kill("closed");
      endings.push(slot.gone);
    }
    await Promise.all([...endings, this.#compiler.close()]);
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) {
      throw new CodeModeError("closed", "The executor was closed.", { what: "executor" });
    }
  }

  /** In a microtask of its own, so that an observer that throws cannot leave the pool half way. */
  #emit(event: CodeModeEvent): void {
    queueMicrotask(() => this.#options.onEvent(event));
  }
}

function unavailable(what: string, cause?: unknown): CodeModeError {
  const reason = cause instanceof Error ? `${what}: ${describeValue(cause.message)}` : what;
  return new CodeModeError("runtime_unavailable", `Cells cannot run: ${reason}.`, { reason }, { cause });
}
