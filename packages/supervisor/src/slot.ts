import {
  encodeCommand,
  type GuestSurface,
  type VmLimits,
  type WorkerCommand,
  type WorkerExitReason,
  type WorkerReport,
} from "@codemode/protocol";
import { MessageChannel, receiveMessageOnPort, type MessagePort } from "node:worker_threads";
import { decodeReport } from "./decode-report.js";
import { createKnownSurfaces, type KnownSurfaces } from "./known-surfaces.js";
import { startThread, type WorkerThread } from "./worker-thread.js";

/**
 * So that the engine's own stack, 256 KiB, always ends in an error the guest can catch. Compiling deeply nested source takes
 * the most of the thread's: more than 5 MiB on Node 24.
 */
const STACK_SIZE_MB = 8;

/** How long a worker that was asked to stop, or to end its cell, may take before it is terminated, in ms. */
export const ANSWER_GRACE_MS = 250;

/** How long a worker may take to get ready before it counts as one that cannot start, in ms. */
const START_LIMIT_MS = 30_000;

/** Longest reason for doing without images, in characters. */
const MAX_REASON_CHARS = 200;

export type SlotState = "starting" | "idle" | "held" | "stopping" | "dying" | "gone";

/** What a slot tells the pool. Called synchronously, in the order in which it happens. */
export interface SlotListener {
  onIdle(slot: WorkerSlot): void;
  /** Cells on this worker have to do without images. */
  onFallback(slot: WorkerSlot, reason: string): void;
  /** The thread is dead. */
  onGone(slot: WorkerSlot, reason: WorkerExitReason): void;
}

/** The cell that holds a slot. */
export interface SlotHolder {
  readonly limits: VmLimits;
  /** Takes a report on this cell; the answer says what was wrong with it, which ends the worker. */
  accept(report: CellReport): string | undefined;
  /** The thread is dead. */
  onGone(reason: WorkerExitReason, fault: string | undefined): void;
}

export interface SlotOptions {
  readonly workerId: number;
  readonly workerUrl: URL;
  readonly listener: SlotListener;
  /** Whether a cell waits for this worker already. */
  readonly isAwaited: boolean;
  /** Default 30_000. */
  readonly startLimitMs?: number;
}

export type CellReport = Exclude<WorkerReport, { type: "ready" | "fallback" }>;

/**
 * One worker's seat: its thread, its port and who holds it. Owned by the pool; over once `onGone` was called.
 *
 * Reports are untrusted: one that is malformed or that nobody waits for ends the worker, and so the cell that holds it.
 */
export class WorkerSlot {
  readonly workerId: number;
  /** Settles when the worker is ready, or failed to get there, with the error it ended by, if any. Never rejects. */
  readonly started: Promise<"ready" | { readonly endedBy: unknown }>;
  /** Settles when the thread is dead. */
  readonly gone: Promise<void>;
  readonly #listener: SlotListener;
  readonly #port: MessagePort;
  readonly #doorbell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #surfaces: KnownSurfaces = createKnownSurfaces();
  readonly #thread: WorkerThread;
  #state: SlotState = "starting";
  #holder: SlotHolder | undefined;
  #cell = 0;
  #exitReason: WorkerExitReason = "crashed";
  #fault: string | undefined;
  #hasFallenBack = false;
  /** Over the start, later over the stop. */
  #timer: NodeJS.Timeout | undefined;
  #setReady = () => {};

  constructor(options: SlotOptions) {
    this.workerId = options.workerId;
    this.#listener = options.listener;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on("message", (message: unknown) => this.#receive(message));
    port1.on("messageerror", () => this.kill("malformed"));
    port1.on("close", () => this.kill("crashed"));
    this.#thread = startThread(
      { workerUrl: options.workerUrl, stackSizeMb: STACK_SIZE_MB },
      { type: "serve", port: port2, doorbell: this.#doorbell.buffer, isAwaited: options.isAwaited },
    );
    this.#timer = setTimeout(() => this.kill("crashed"), options.startLimitMs ?? START_LIMIT_MS).unref();
    this.gone = this.#thread.exited.then(() => this.#end());
    const ready = new Promise<"ready">((resolve) => (this.#setReady = () => resolve("ready")));
    this.started = Promise.race([ready, this.#thread.exited.then((endedBy) => ({ endedBy }))]);
  }

  get state(): SlotState {
    return this.#state;
  }

  /** Gives the slot to a cell. Only when idle. Returns the cell's number on this worker. */
  hold(holder: SlotHolder): number {
    this.#state = "held";
    this.#holder = holder;
    this.#setKeepsProcessAlive(true);
    return ++this.#cell;
  }

  /** Ends a hold; the worker has nothing left of the cell. */
  release(): void {
    this.#holder = undefined;
    if (this.#state === "held") this.#becomeIdle();
  }

  /** Makes sure that the worker has the surface a cell starts from. */
  introduce(surface: GuestSurface): void {
    const introduction = this.#surfaces.introduce(surface);
    if (introduction !== undefined) this.post(introduction);
  }

  post(command: WorkerCommand): void {
    this.#port.postMessage(encodeCommand(command));
    Atomics.add(this.#doorbell, 0, 1);
    Atomics.notify(this.#doorbell, 0);
  }

  /** Handles reports that have arrived but were not delivered yet, because this thread was busy. */
  drain(): void {
    for (;;) {
      const entry = receiveMessageOnPort(this.#port) as { message: unknown } | undefined;
      if (entry === undefined) return;
      this.#receive(entry.message);
    }
  }

  /** Ends an idle worker by its own will, or by force when it does not answer. */
  stop(): void {
    if (this.#state !== "idle") return;
    this.#state = "stopping";
    this.#timer = setTimeout(() => this.kill("idle"), ANSWER_GRACE_MS).unref();
    this.post({ type: "stop" });
  }

  /** Ends the worker whatever it does. The first reason counts. */
  kill(reason: WorkerExitReason, fault?: string): void {
    if (this.#state === "dying" || this.#state === "gone") return;
    this.#exitReason = this.#state === "stopping" ? "idle" : reason;
    this.#fault = fault;
    this.#state = "dying";
    clearTimeout(this.#timer);
    this.#port.close();
    this.#thread.terminate();
  }

  #receive(message: unknown): void {
    if (this.#state === "dying" || this.#state === "gone") return;
    const report = decodeReport(message);
    if (report === undefined) return this.kill("malformed", "a message of unknown shape");
    if (report.type === "ready") {
      if (this.#state !== "starting") return this.kill("malformed", "ready twice");
      clearTimeout(this.#timer);
      this.#setReady();
      return this.#becomeIdle();
    }
    if (report.type === "fallback") {
      if (this.#hasFallenBack) return this.kill("malformed", "fallback twice");
      if (report.reason.length > MAX_REASON_CHARS) return this.kill("malformed", "a long reason");
      this.#hasFallenBack = true;
      return this.#listener.onFallback(this, report.reason);
    }
    if (this.#holder === undefined || report.cell !== this.#cell) {
      return this.kill("malformed", `a report on cell ${report.cell}, which is not open`);
    }
    const fault = this.#holder.accept(report);
    if (fault !== undefined) this.kill("malformed", fault);
  }

  #becomeIdle(): void {
    this.#state = "idle";
    this.#setKeepsProcessAlive(false);
    this.#listener.onIdle(this);
  }

  #end(): void {
    // What a worker sent before it ended by itself still counts.
    if (this.#state !== "dying") this.drain();
    this.kill("crashed");
    this.#state = "gone";
    this.#holder?.onGone(this.#exitReason, this.#fault);
    this.#holder = undefined;
    this.#listener.onGone(this, this.#exitReason);
  }

  #setKeepsProcessAlive(isKept: boolean): void {
    if (isKept) this.#port.ref();
    else this.#port.unref();
    this.#thread.setKeepsProcessAlive(isKept);
  }
}
