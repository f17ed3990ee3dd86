import {
  CodeModeError,
  failedStep,
  refusedStep,
  type CellSession,
  type CellSessionOptions,
  type CellStart,
  type CellStep,
  type Delivery,
  type PreparedSource,
} from "@codemode/protocol";
import type { CompileAnswer, CompileRequest } from "./compile-thread.js";
import type { CellExchange, StepCommand } from "./exchange.js";
import { ABORTED, NO_WORKER, QUEUE_TIMEOUT } from "./failures.js";
import type { QueueRefusal } from "./queue.js";

/** What a session takes from the pool. */
export interface SessionPool {
  /** Monotonic, in ms. */
  now(): number;
  compile(request: CompileRequest): Promise<CompileAnswer>;
  /** A worker that is free now, which the exchange holds; undefined when one has to be waited for. */
  take(options: CellSessionOptions): CellExchange | undefined;
  /** Waits for a worker. */
  acquire(options: CellSessionOptions, remainingMs: number, signal: AbortSignal): Promise<CellExchange | QueueRefusal>;
  /** The session is over. */
  onOver(session: CellSession): void;
}

/** One cell: waits for its turn, then talks to one worker until it is over. */
export class PooledSession implements CellSession {
  readonly #options: CellSessionOptions;
  readonly #pool: SessionPool;
  readonly #abort = new AbortController();
  #exchange: CellExchange | undefined;
  #underWay: Promise<CellStep> | undefined;
  #isStarted = false;
  #isOver = false;
  #isAborted = false;
  #closing: Promise<void> | undefined;

  constructor(options: CellSessionOptions, pool: SessionPool) {
    this.#options = options;
    this.#pool = pool;
  }

  async start(start: CellStart, remainingMs: number, maxQueueMs = Infinity): Promise<CellStep> {
    if (this.#isStarted) throw misuse("start", "was called before; a session runs one cell");
    return this.#take("start", remainingMs, (budgetMs) => {
      this.#isStarted = true;
      const now = this.#pool.now();
      return this.#begin(start, { deadline: now + budgetMs, queueUntil: now + maxQueueMs });
    });
  }

  async deliver(delivery: Delivery, remainingMs: number): Promise<CellStep> {
    return this.#take("deliver", remainingMs, (budgetMs) => this.#continue({ type: "deliver", delivery }, budgetMs));
  }

  async park(remainingMs: number, maxBytes = this.#options.limits.maxSnapshotBytes): Promise<CellStep> {
    return this.#take("park", remainingMs, (budgetMs) => this.#continue({ type: "park", maxBytes }, budgetMs));
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    // Without a step under way nobody listens, and an abort is not cheap.
    if (this.#underWay !== undefined) this.#abort.abort(CLOSED);
    this.#isAborted = true;
    await this.#exchange?.end();
    // Its outcome, a rejection included, is for whoever asked for the step.
    await this.#underWay?.catch(() => {});
    this.#setOver();
  }

  /** Runs one step; only one at a time. */
  async #take(method: string, remainingMs: number, run: (budgetMs: number) => Promise<CellStep>): Promise<CellStep> {
    if (!Number.isFinite(remainingMs)) throw misuse(method, "needs a finite number of milliseconds");
    if (this.#closing !== undefined) return failedStep(ABORTED);
    if (this.#underWay !== undefined) throw misuse(method, "was called while a step is under way");
    if (this.#isOver) throw misuse(method, "was called after the cell had ended");
    this.#underWay = run(Math.min(Math.max(0, remainingMs), LONGEST_BUDGET_MS));
    try {
      const step = await this.#underWay;
      const isAtBoundary = step.type === "boundary" && step.parked === undefined;
      const isLive = isAtBoundary || (step.type === "refused" && this.#exchange !== undefined);
      if (!isLive) this.#setOver();
      return step;
    } catch (error) {
      if (this.#exchange?.isOver === true) this.#setOver();
      throw error;
    } finally {
      this.#underWay = undefined;
    }
  }

  async #begin(start: CellStart, { deadline, queueUntil }: StartTimes): Promise<CellStep> {
    let prepared: PreparedSource | undefined;
    if (start.type === "source" && start.language === "typescript") {
      const answer = await this.#compile(start.source, deadline);
      if (answer.type !== "prepared") return refusal(answer);
      prepared = answer.prepared;
    }
    const queueMs = Math.min(deadline, queueUntil) - this.#pool.now();
    const exchange =
      this.#pool.take(this.#options) ?? (await this.#pool.acquire(this.#options, queueMs, this.#abort.signal));
    if (exchange === "timeout" && queueUntil < deadline) return refusedStep(QUEUE_TIMEOUT);
    if (typeof exchange === "string") return failedStep(QUEUE_FAILURES[exchange]);
    this.#exchange = exchange;
    if (this.#isAborted) {
      await exchange.end();
      return failedStep(ABORTED);
    }
    const remainingMs = Math.max(0, deadline - this.#pool.now());
    const command = prepared === undefined ? {} : { prepared };
    return exchange.run({ type: "start", start: withOwnMemory(start), ...command }, remainingMs);
  }

  #compile(source: string, deadline: number): Promise<CompileAnswer> {
    return this.#pool.compile({
      language: "typescript",
      source,
      maxSourceBytes: this.#options.limits.maxSourceBytes,
      remainingMs: deadline - this.#pool.now(),
      signal: this.#abort.signal,
    });
  }

  async #continue(command: StepCommand, remainingMs: number): Promise<CellStep> {
    if (this.#exchange === undefined) throw misuse(command.type, "was called before start");
    return this.#exchange.run(command, remainingMs);
  }

  #setOver(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#pool.onOver(this);
  }
}

/** Points on the pool's clock, in ms. */
interface StartTimes {
  readonly deadline: number;
  readonly queueUntil: number;
}

const CLOSED = "the session was closed";

/** Timers overflow at twice that. */
const LONGEST_BUDGET_MS = 2 ** 30;

const QUEUE_FAILURES = { timeout: QUEUE_TIMEOUT, aborted: ABORTED, unavailable: NO_WORKER };

function refusal(answer: Exclude<CompileAnswer, { type: "prepared" }>): CellStep {
  if (answer.type === "failed") return failedStep(answer.failure);
  const { message, code, location } = answer;
  return failedStep({ message, code, phase: "input", ...(location === undefined ? {} : { location }) });
}

/** Sending a view sends its whole buffer; bytes from a store may be a view of a shared one. */
function withOwnMemory(start: CellStart): CellStart {
  if (start.type !== "parked") return start;
  const { snapshot } = start.parked;
  if (snapshot.memory.byteLength === snapshot.memory.buffer.byteLength) return start;
  return { ...start, parked: { ...start.parked, snapshot: { ...snapshot, memory: snapshot.memory.slice() } } };
}

function misuse(method: string, problem: string): CodeModeError {
  return new CodeModeError("invalid_argument", `${method} ${problem}.`, { path: method, problem });
}
