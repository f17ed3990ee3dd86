import type { CellFailure, CellLanguage, CompileOutcome } from "@codemode/protocol";
import { ABORTED, COMPILE_TIMEOUT, COMPILER_UNAVAILABLE } from "./failed-step.js";
import { contentKey, type CompileCache } from "./compile-cache.js";
import { decodeOutcome } from "./decode-report.js";
import { settleBy } from "./settle-by.js";
import { startThread, type WorkerThread } from "./worker-thread.js";

/** Compiled by a new thread before anything else, so that no cell's budget ends it while it loads the compiler. */
const WARM_UP = { type: "compile", language: "typescript", source: "const loaded: boolean = true;\nreturn loaded;" } as const;

/** The answer to a compile request: the compiler's, or why there is none. */
export type CompileAnswer = CompileOutcome | { readonly type: "failed"; readonly failure: CellFailure };

export interface CompileRequest {
  readonly language: CellLanguage;
  readonly source: string;
  readonly remainingMs: number;
  readonly signal: AbortSignal;
}

/** One content being compiled, for whoever asked for it meanwhile. */
interface Job {
  readonly language: CellLanguage;
  readonly source: string;
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
  /** True once the compiler is loaded. */
  #loaded: Promise<boolean> | undefined;
  #isRunning = false;

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

  async compile({ language, source, remainingMs, signal }: CompileRequest): Promise<CompileAnswer> {
    const cached = this.#cache.get(language, source);
    if (cached !== undefined) return cached;
    const job = this.#join(language, source, this.#now() + remainingMs);
    void this.#work();
    const answer = await settleBy(job.answer, remainingMs, signal);
    if (answer === "timeout") return { type: "failed", failure: COMPILE_TIMEOUT };
    if (answer === "aborted") return { type: "failed", failure: ABORTED };
    return answer;
  }

  /** Ends the thread; settles when it is dead. Jobs under way fail. */
  async close(): Promise<void> {
    this.#thread?.terminate();
    await this.#thread?.exited;
  }

  #join(language: CellLanguage, source: string, deadline: number): Job {
    const key = contentKey(language, source);
    const known = this.#jobs.get(key);
    if (known !== undefined) {
      known.deadline = Math.max(known.deadline, deadline);
      return known;
    }
    let resolve: Job["resolve"] = () => {};
    const answer = new Promise<CompileAnswer>((settle) => (resolve = settle));
    const job: Job = { language, source, answer, deadline, resolve };
    this.#jobs.set(key, job);
    return job;
  }

  async #work(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (const [key, job] of this.#jobs) {
      const answer = (await this.warm()) ? await this.#runJob(job) : COMPILER_FAILED;
      this.#jobs.delete(key);
      if (answer.type !== "failed") this.#cache.set(job.language, job.source, answer);
      job.resolve(answer);
    }
    this.#isRunning = false;
  }

  async #runJob(job: Job): Promise<CompileAnswer> {
    const thread = this.#thread;
    if (thread === undefined) return COMPILER_FAILED;
    if (job.deadline <= this.#now()) return COMPILE_TIMED_OUT;
    const settled = Promise.race([
      thread.run({ type: "compile", language: job.language, source: job.source }).then(decodeOutcome, () => undefined),
      thread.exited.then(() => undefined),
    ]);
    for (;;) {
      const answer = await settleBy(settled, job.deadline - this.#now(), NEVER);
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
const NEVER = new AbortController().signal;
