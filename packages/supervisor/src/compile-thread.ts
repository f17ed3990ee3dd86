import type { CellFailure, CellLanguage, CompileOutcome, WorkerTask } from "@codemode/protocol";
import { ABORTED, COMPILE_TIMEOUT, COMPILER_UNAVAILABLE } from "./failed-step.js";
import type { CompileCache } from "./compile-cache.js";
import { decodeOutcome } from "./decode-report.js";
import { settleBy } from "./settle-by.js";
import { startThread, type WorkerThread } from "./worker-thread.js";

/** A compile task that states how long the source may be, in UTF-8 bytes. */
type CompileTask = Extract<WorkerTask, { type: "compile" }>;

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

/** One content being compiled, for whoever asked for it meanwhile. */
interface Job {
  readonly task: CompileTask;
  readonly answer: Promise<CompileAnswer>;
  resolve(answer: CompileAnswer): void;
  /** The latest deadline of those who wait. */
  deadline: number;
}

/**
 * The one thread that compiles TypeScript, started by the first request and kept. One job at a time, the rest waits
 * here; a job that outlives everyone's budget costs the thread, which the next job replaces.
 */
export class CompileThread {
  readonly #workerUrl: URL;
  readonly #cache: CompileCache;
  readonly #now: () => number;
  readonly #jobs = new Map<string, Job>();
  #thread: WorkerThread | undefined;
  /** Settles with whether the compiler could be loaded. */
  #loaded: Promise<boolean> | undefined;
  #isRunning = false;
  #isClosed = false;

  constructor(options: { workerUrl: URL; cache: CompileCache; now: () => number }) {
    this.#workerUrl = options.workerUrl;
    this.#cache = options.cache;
    this.#now = options.now;
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
    const job = this.#join(key, task, this.#now() + remainingMs);
    void this.#work();
    const answer = await settleBy(job.answer, remainingMs, signal);
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

  #join(key: string, task: CompileTask, deadline: number): Job {
    const known = this.#jobs.get(key);
    if (known !== undefined) {
      known.deadline = Math.max(known.deadline, deadline);
      return known;
    }
    let resolve: Job["resolve"] = () => {};
    const answer = new Promise<CompileAnswer>((settle) => (resolve = settle));
    const job: Job = { task, answer, deadline, resolve };
    this.#jobs.set(key, job);
    return job;
  }

  async #work(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (const [key, job] of this.#jobs) {
      const answer = !this.#isClosed && (await this.warm()) ? await this.#runJob(job) : COMPILER_FAILED;
      this.#jobs.delete(key);
      if (answer.type !== "failed") this.#cache.set(key, answer);
      job.resolve(answer);
    }
    this.#isRunning = false;
  }

  async #runJob(job: Job): Promise<CompileAnswer> {
    const thread = this.#thread;
    if (thread === undefined) return COMPILER_FAILED;
    if (job.deadline <= this.#now()) return COMPILE_TIMED_OUT;
    const settled = Promise.race([
      thread.run(job.task).then(decodeOutcome, () => undefined),
      thread.exited.then(() => undefined),
    ]);
    for (;;) {
      const answer = await settleBy(settled, job.deadline - this.#now());
      if (answer === "timeout" && job.deadline > this.#now()) continue;
      if (typeof answer === "object") return answer;
      thread.terminate();
      await thread.exited;
      return answer === "timeout" ? COMPILE_TIMED_OUT : COMPILER_FAILED;
    }
  }

  async #start(): Promise<boolean> {
    const thread = startThread({ workerUrl: this.#workerUrl }, WARM_UP);
    this.#thread = thread;
    void thread.exited.then(() => {
      this.#thread = undefined;
      this.#loaded = undefined;
    });
    const first = thread.firstResult.then(decodeOutcome, () => undefined);
    const outcome = await Promise.race([first, thread.exited.then(() => undefined)]);
    if (outcome?.type === "prepared") return true;
    thread.terminate();
    await thread.exited;
    return false;
  }
}

const COMPILER_FAILED: CompileAnswer = { type: "failed", failure: COMPILER_UNAVAILABLE };
const COMPILE_TIMED_OUT: CompileAnswer = { type: "failed", failure: COMPILE_TIMEOUT };
