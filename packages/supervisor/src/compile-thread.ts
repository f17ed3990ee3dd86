import type { CellFailure, CellLanguage, CompileOutcome } from "@codemode/protocol";
import { ABORTED, COMPILE_TIMEOUT, COMPILE_TOO_LONG, COMPILER_UNAVAILABLE } from "./failures.js";
import type { CompileCache } from "./compile-cache.js";
import { decodeOutcome } from "./decode-report.js";
import { settleBy } from "./settle-by.js";
import { startThread, type CompileTask, type WorkerThread } from "./worker-thread.js";

/** Compiled by a new thread before anything else, so that no cell's budget ends it while it loads the compiler. */
const WARM_UP: CompileTask = {
  type: "compile",
  language: "typescript",
  source: "const loaded: boolean = true;\nreturn loaded;",
  maxSourceBytes: 1024,
};

/** The answer to a compile request: the compiler's, or why there is none. */
export type CompileAnswer = CompileOutcome | { readonly type: "failed"; readonly failure: CellFailure };

export interface CompileRequest {
  readonly language: CellLanguage;
  readonly source: string;
  readonly maxSourceBytes: number;
  readonly remainingMs: number;
  readonly signal: AbortSignal;
}

/** How long one job may hold the thread while others wait, in ms. */
const TURN_MS = 1000;
/** Turns a job gets while others wait; the second one comes after everybody else's. */
const MAX_TURNS = 2;

/** One content being compiled, for whoever asked for it meanwhile. */
interface Job {
  readonly key: string;
  readonly task: CompileTask;
  readonly answer: Promise<CompileAnswer>;
  resolve(answer: CompileAnswer): void;
  /** Requests that wait for the answer. Without any the job is dropped. */
  waiters: number;
  /** Turns it has used up. */
  turns: number;
}

/**
 * The one thread that compiles TypeScript, started by the first request and kept. One job at a time, the rest waits
 * here in order.
 *
 * Untrusted: a short source can keep the compiler busy for hours. A job nobody waits for any more is dropped, and one
 * that still holds the thread when its turn is over gives way to others; either costs the thread, which the next job
 * replaces.
 */
export class CompileThread {
  readonly #workerUrl: URL;
  readonly #cache: CompileCache;
  /** The job that runs and those that wait. */
  readonly #jobs = new Map<string, Job>();
  #running: Job | undefined;
  #thread: WorkerThread | undefined;
  /** Settles with whether the compiler could be loaded. */
  #loaded: Promise<boolean> | undefined;
  #isWorking = false;
  #isClosed = false;

  constructor(options: { workerUrl: URL; cache: CompileCache }) {
    this.#workerUrl = options.workerUrl;
    this.#cache = options.cache;
  }

  /** Loads the compiler; false when it cannot be loaded. */
  warm(): Promise<boolean> {
    this.#loaded ??= this.#start();
    return this.#loaded;
  }

  async compile(request: CompileRequest): Promise<CompileAnswer> {
    const { language, source, maxSourceBytes, remainingMs, signal } = request;
    const task: CompileTask = { type: "compile", language, source, maxSourceBytes };
    const key = `${language} ${maxSourceBytes}\n${source}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const job = this.#jobs.get(key) ?? this.#enqueue(key, task);
    job.waiters += 1;
    void this.#work();
    const answer = await settleBy(job.answer, remainingMs, signal);
    job.waiters -= 1;
    if (job.waiters === 0) this.#drop(job);
    if (answer === "timeout") return { type: "failed", failure: COMPILE_TIMEOUT };
    if (answer === "aborted") return { type: "failed", failure: ABORTED };
    return answer;
  }

  /** Ends the thread; settles when it is dead. Jobs under way fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#thread?.terminate();
    await this.#thread?.exited;
  }

  #enqueue(key: string, task: CompileTask): Job {
    let resolve: Job["resolve"] = () => {};
    const answer = new Promise<CompileAnswer>((settle) => (resolve = settle));
    const job: Job = { key, task, answer, resolve, waiters: 0, turns: 0 };
    this.#jobs.set(key, job);
    return job;
  }

  /** Takes a job out, also while it runs; one that has its answer is out already. */
  #drop(job: Job): void {
    if (!this.#isOpen(job)) return;
    this.#jobs.delete(job.key);
    if (this.#running === job) this.#thread?.terminate();
  }

  /** A dropped job's content may be there again as another job. */
  #isOpen(job: Job): boolean {
    return this.#jobs.get(job.key) === job;
  }

  #settle(job: Job, answer: CompileAnswer): void {
    if (answer.type !== "failed") this.#cache.set(job.key, answer);
    if (this.#isOpen(job)) this.#jobs.delete(job.key);
    job.resolve(answer);
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    for (const job of this.#jobs.values()) {
      const isLoaded = !this.#isClosed && (await this.warm());
      // It may have been dropped while the compiler was loaded.
      if (!this.#isOpen(job)) continue;
      if (isLoaded && this.#thread !== undefined) await this.#runJob(job, this.#thread);
      else this.#settle(job, COMPILER_FAILED);
    }
    this.#isWorking = false;
  }

  async #runJob(job: Job, thread: WorkerThread): Promise<void> {
    this.#running = job;
    const settled = Promise.race([thread.run(job.task).then(decodeOutcome), thread.exited.then(() => undefined)]);
    let answer = await settleBy(settled, TURN_MS);
    while (answer === "timeout" && this.#jobs.size === 1 && this.#isOpen(job)) {
      answer = await settleBy(settled, TURN_MS);
    }
    this.#running = undefined;
    const isOpen = this.#isOpen(job);
    if (typeof answer === "object") this.#settle(job, answer);
    if (typeof answer === "object" && isOpen) return;
    thread.terminate();
    await thread.exited;
    if (this.#isOpen(job)) this.#endTurn(job, answer === "timeout");
  }

  /** After its thread was lost or taken away: once more behind the others, or a failure. */
  #endTurn(job: Job, isOverrun: boolean): void {
    if (!isOverrun) return this.#settle(job, COMPILER_FAILED);
    job.turns += 1;
    if (job.turns === MAX_TURNS) return this.#settle(job, COMPILE_OVERRUN);
    this.#jobs.delete(job.key);
    this.#jobs.set(job.key, job);
  }

  async #start(): Promise<boolean> {
    const thread = startThread({ workerUrl: this.#workerUrl }, WARM_UP);
    this.#thread = thread;
    void thread.exited.then(() => {
      this.#thread = undefined;
      this.#loaded = undefined;
    });
    const first = thread.firstAnswer.then(decodeOutcome);
    const outcome = await Promise.race([first, thread.exited.then(() => undefined)]);
    if (outcome?.type === "prepared") return true;
    thread.terminate();
    await thread.exited;
    return false;
  }
}

const COMPILER_FAILED: CompileAnswer = { type: "failed", failure: COMPILER_UNAVAILABLE };
const COMPILE_OVERRUN: CompileAnswer = { type: "failed", failure: COMPILE_TOO_LONG };
