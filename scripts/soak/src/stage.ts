import type { CodeModeConfigInput } from "@codemode/config";
import type { CodeMode, CodeModeRun } from "@codemode/core";
import type { CellLanguage, CodeModeResult } from "@codemode/protocol";
import type { CellCalls } from "./call-ledger.js";
import type { Gate } from "./gates.js";
import type { ObservedStore } from "./observed-store.js";
import type { Random } from "./random.js";
import type { Death } from "./mark.js";

export interface ExecOptions {
  /** Default: the run that many cells share. */
  readonly run?: CodeModeRun;
  readonly signal?: AbortSignal;
  readonly language?: CellLanguage;
  /** The thread ends itself there, so that a cell lost with its thread is no surprise. */
  readonly death?: Death;
  /** A cell lost with its thread is no surprise. Default false. */
  readonly isDoomed?: boolean;
}

export interface OwnRunOptions {
  readonly limits?: CodeModeConfigInput;
  readonly signal?: AbortSignal;
  /** Whether the run has an MCP server. Default false. */
  readonly hasServer?: boolean;
}

/** A run of one cell's own. */
export interface OwnRun {
  readonly run: CodeModeRun;
  readonly sessionId: string;
}

/** What a kind plays a cell on. */
export interface Stage {
  /** Number of the cell; every call it makes carries it. */
  readonly cell: number;
  readonly random: Random;
  readonly calls: CellCalls;
  readonly gate: Gate;
  readonly host: CodeMode;
  readonly store: ObservedStore;
  /** A run that many cells share, with ample limits. */
  readonly run: CodeModeRun;
  /** Closed when the cell is over. */
  openRun(options?: OwnRunOptions): OwnRun;
  /**
   * Runs a cell whose source finds its number as `cell`.
   *
   * @throws {CellLost} when the cell ends because its thread did and nobody expected that.
   */
  exec(code: string, options?: ExecOptions): Promise<CodeModeResult>;
  /** @throws {CellLost} as `exec`. */
  wait(runId: string, options?: Pick<ExecOptions, "run" | "signal" | "isDoomed">): Promise<CodeModeResult>;
  /** What a call of the host gives. @throws {NeverSettled} when that does not come. */
  settled<Result>(what: string, promise: Promise<Result>): Promise<Result>;
  sleep(ms: number): Promise<void>;
}

/** The cell ended because its thread did. Which kill it was is found out later. */
export class CellLost extends Error {
  override readonly name = "CellLost";
}

/** A call of the host did not settle. */
export class NeverSettled extends Error {
  override readonly name = "NeverSettled";
}
