import {
  CodeModeError,
  NO_OUTPUT,
  type CellLanguage,
  type CellStep,
  type GuestRuntime,
  type GuestSurface,
  type GuestVm,
  type PreparedSource,
  type VmOptions,
  type VmSnapshot,
  type VmStep,
  type WorkerCommand,
} from "@codemode/protocol";
import type { FailureExplainer } from "@codemode/transform";
import { toCellStep } from "./cell-step.js";

/** What an execution worker is made of. */
export interface CellEngine {
  readonly runtime: GuestRuntime;
  prepareSource(source: string, options: { language: CellLanguage; maxSourceBytes: number }): Promise<PreparedSource>;
  readonly explainFailure: FailureExplainer;
}

export type StartCommand = Extract<WorkerCommand, { type: "start" }>;

/** One cell in its VM. Owned: dispose it. */
export interface LiveCell {
  deliver(command: Extract<WorkerCommand, { type: "deliver" }>): CellStep;
  /** The cell stays live. @throws {CodeModeError} `snapshot_limit_exceeded`. */
  park(maxBytes: number): Extract<CellStep, { type: "parked" }>;
  dispose(): void;
}

export interface OpenedCell {
  readonly cell: LiveCell;
  readonly firstStep: CellStep;
}

/**
 * Prepares the source, makes a VM and runs the cell to its first step; a parked cell goes on where it stopped.
 * All of it spends `remainingMs`.
 *
 * @throws a source refusal, or {CodeModeError} of the runtime; nothing is left to dispose then.
 */
export async function openCell(
  engine: CellEngine,
  command: StartCommand,
  { surface, isAborted }: { readonly surface: GuestSurface; isAborted(): boolean },
): Promise<OpenedCell> {
  const endsAt = performance.now() + command.remainingMs;
  const { start, limits } = command;
  const options: VmOptions = { limits, isAborted, ...(start.seed === undefined ? {} : { seed: start.seed }) };
  if (start.type === "source") {
    const { language, source } = start;
    const prepared =
      command.prepared ?? (await engine.prepareSource(source, { language, maxSourceBytes: limits.maxSourceBytes }));
    const vm = await engine.runtime.create(surface, options);
    return begin({ engine, vm, prepared }, () => vm.evaluate(prepared, remainingMs(endsAt)));
  }
  const { parked, replies, cancelled = [] } = start;
  const vm = await engine.runtime.restore(parked.snapshot, surface, options);
  const cell = { engine, vm, prepared: parked.source };
  return begin(cell, () => vm.deliver({ replies, cancelled }, remainingMs(endsAt)));
}

interface CellParts {
  readonly engine: CellEngine;
  readonly vm: GuestVm;
  readonly prepared: PreparedSource;
}

function begin({ engine, vm, prepared }: CellParts, run: () => VmStep): OpenedCell {
  const toStep = (step: VmStep) => toCellStep(step, (failure) => engine.explainFailure(prepared, failure));
  try {
    const firstStep = toStep(run());
    return { firstStep, cell: liveCell(vm, prepared, toStep) };
  } catch (error) {
    vm.dispose();
    throw error;
  }
}

function liveCell(vm: GuestVm, source: PreparedSource, toStep: (step: VmStep) => CellStep): LiveCell {
  return {
    deliver: ({ delivery, remainingMs }) => toStep(vm.deliver(delivery, remainingMs)),
    park(maxBytes) {
      const startedAt = performance.now();
      const snapshot = withOwnMemory(vm.park());
      if (snapshot.bytes > maxBytes) throw tooLarge(snapshot.bytes, maxBytes);
      return {
        type: "parked",
        parked: { snapshot, source },
        output: NO_OUTPUT,
        guestMs: performance.now() - startedAt,
      };
    },
    dispose: () => vm.dispose(),
  };
}

function tooLarge(actualBytes: number, limitBytes: number): CodeModeError {
  const message = `The cell would park as ${actualBytes} bytes, and there is room for ${limitBytes}.`;
  return new CodeModeError("snapshot_limit_exceeded", message, { limitBytes, actualBytes });
}

/** The memory is handed over whole, so it must not be a view of something larger. */
function withOwnMemory(snapshot: VmSnapshot): VmSnapshot {
  const { memory } = snapshot;
  return memory.byteLength === memory.buffer.byteLength ? snapshot : { ...snapshot, memory: memory.slice() };
}

function remainingMs(endsAt: number): number {
  return Math.max(0, endsAt - performance.now());
}
