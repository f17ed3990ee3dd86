import type { BridgeRequest, EncodedJson, OutputDelta } from "./bridge.js";
import type { CellSeed, Delivery } from "./executor.js";
import type { CodeModeErrorCode, FailurePhase } from "./error-codes.js";
import type { VmLimits } from "./limits.js";
import type { VmSnapshot } from "./snapshot.js";
import type { EnginePosition, PreparedSource } from "./source.js";
import type { GuestSurface } from "./surface.js";

/** A failure as the engine adapter sees it: positions are still the engine's. */
export interface VmFailure {
  readonly message: string;
  readonly code?: CodeModeErrorCode;
  readonly phase: FailurePhase;
  readonly position?: EnginePosition;
}

interface VmStepShared {
  readonly output: OutputDelta;
  readonly guestMs: number;
}

/** What a VM came to; see `CellStep`. After `completed` and `failed` only `dispose` may be called. */
export type VmStep =
  | (VmStepShared & {
      readonly type: "boundary";
      readonly requests: readonly BridgeRequest[];
      readonly cancelled: readonly number[];
      readonly isSettled: boolean;
    })
  | (VmStepShared & { readonly type: "completed"; readonly value: EncodedJson })
  | (VmStepShared & { readonly type: "failed"; readonly failure: VmFailure });

export interface VmOptions {
  readonly limits: VmLimits;
  /** Polled while the guest runs; true interrupts it, and the step fails with `aborted`. */
  readonly isAborted?: () => boolean;
  readonly seed?: CellSeed;
}

/** One live VM that holds one cell. Owned: dispose it. Not reentrant. */
export interface GuestVm {
  /** Evaluates the cell; once per VM. `budgetMs` bounds this step; running past it gives `failed` with `timeout`. */
  evaluate(source: PreparedSource, budgetMs: number): VmStep;
  /** Settles requests and pumps until the next boundary. */
  deliver(delivery: Delivery, budgetMs: number): VmStep;
  /**
   * Copies the VM at a boundary, where it stays live either way.
   *
   * @throws {CodeModeError} `snapshot_limit_exceeded` with limit and actual size.
   */
  park(): VmSnapshot;
  dispose(): void;
}

/** An engine. Owned: dispose it. */
export interface GuestRuntime {
  /** Loads what every VM is made of, which the first `create` or `restore` does otherwise. @throws {CodeModeError} `runtime_unavailable`. */
  load(): Promise<void>;
  /** Creates a VM whose globals are made of `surface`. @throws {CodeModeError} `runtime_unavailable`. */
  create(surface: GuestSurface, options: VmOptions): Promise<GuestVm>;
  /**
   * Goes on with a parked VM. `surface` is the one it was created with.
   *
   * @throws {CodeModeError} `snapshot_incompatible` for damaged bytes, another engine build or another surface.
   */
  restore(snapshot: VmSnapshot, surface: GuestSurface, options: VmOptions): Promise<GuestVm>;
  /** Handles of guest values that live VMs hold and that disposed ones did not give back; zero when every VM is disposed. */
  liveHandles(): number;
  dispose(): void;
}
