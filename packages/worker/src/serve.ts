import {
  encodeReport,
  failedStep,
  refusedStep,
  type CellStep,
  type GuestSurface,
  type PreparedSource,
  type VmLimits,
  type WorkerCommand,
  type WorkerReport,
  type WorkerTask,
} from "@codemode/protocol";
import type { MessagePort } from "node:worker_threads";
import { failureOf } from "./cell-step.js";
import { createInbox, type Inbox } from "./inbox.js";
import { openCell, type CellEngine, type LiveCell } from "./live-cell.js";
import { createSurfaces, type Surfaces } from "./surfaces.js";

export type ServeTask = Extract<WorkerTask<MessagePort>, { type: "serve" }>;

/**
 * A worker's life: gets ready, then obeys the port, one cell after the other, until it is told to stop or the host is
 * gone. Takes over port and engine.
 *
 * Rejects when the engine cannot be loaded; afterwards only when a VM cannot be disposed.
 */
export async function serve({ port, doorbell, isAwaited }: ServeTask, engine: CellEngine): Promise<void> {
  const inbox = createInbox(port, new Int32Array(doorbell));
  const surfaces = createSurfaces();
  // The parser while other threads read and compile the engine.
  const [, source] = await Promise.all([engine.runtime.load(), prepareNothing(engine)]);
  if (!isAwaited) await warmUp(engine, source);
  const report = (message: WorkerReport) => port.postMessage(encodeReport(message), transfersOf(message));
  report({ type: "ready" });
  const seat: Seat = { cell: undefined };
  for (;;) {
    const command = await inbox.next();
    switch (command.type) {
      case "stop":
        clear(seat);
        engine.runtime.dispose();
        port.close();
        return;
      case "surface":
        surfaces.add(command);
        break;
      case "end":
        clear(seat);
        report({ type: "ended", cell: command.cell });
        break;
      case "start":
      case "deliver":
      case "park": {
        const result = await runStep(seat, command, { engine, inbox, surfaces });
        report({ type: "step", cell: command.cell, step: command.step, result });
        // After the report, so that the host does not wait for it.
        if (!isLiveAfter(result)) clear(seat);
      }
    }
  }
}

/** Where the worker's one cell sits. */
interface Seat {
  cell: LiveCell | undefined;
}

function isLiveAfter(step: CellStep): boolean {
  return step.type === "refused" || (step.type === "boundary" && step.parked === undefined);
}

type StepCommand = Extract<WorkerCommand, { step: number }>;

async function runStep(
  seat: Seat,
  command: StepCommand,
  { engine, inbox, surfaces }: { engine: CellEngine; inbox: Inbox; surfaces: Surfaces },
): Promise<CellStep> {
  try {
    if (command.type === "start") {
      clear(seat);
      const surface = surfaces.named(command.start.surface);
      const { cell, firstStep } = await openCell(engine, command, {
        surface,
        isAborted: () => inbox.hasEnd(command.cell),
      });
      seat.cell = cell;
      return parkAtOnce(cell, firstStep, command.parkBytes);
    }
    const { cell } = seat;
    if (cell === undefined) throw new Error(`There is no cell to ${command.type}.`);
    if (command.type === "park") return cell.park(command.maxBytes);
    return parkAtOnce(cell, cell.deliver(command), command.parkBytes);
  } catch (error) {
    const failure = failureOf(error);
    const isTooLarge = command.type === "park" && failure.code === "snapshot_limit_exceeded";
    return isTooLarge ? refusedStep(failure) : failedStep(failure);
  }
}

/** A boundary with the cell parked at it, where that was asked for and there is room; else the step as it is. */
function parkAtOnce(cell: LiveCell, step: CellStep, maxBytes: number | undefined): CellStep {
  if (maxBytes === undefined || step.type !== "boundary") return step;
  try {
    const { parked, guestMs } = cell.park(maxBytes);
    return { ...step, parked, guestMs: step.guestMs + guestMs };
  } catch (error) {
    const failure = failureOf(error);
    return failure.code === "snapshot_limit_exceeded" ? step : failedStep(failure, step);
  }
}

function clear(seat: Seat): void {
  const { cell } = seat;
  seat.cell = undefined;
  cell?.dispose();
}

/** Parked memory is moved, not copied. */
function transfersOf(report: WorkerReport): ArrayBuffer[] {
  if (report.type !== "step" || !("parked" in report.result) || report.result.parked === undefined) return [];
  const { buffer } = report.result.parked.snapshot.memory;
  return buffer instanceof ArrayBuffer ? [buffer] : [];
}

function prepareNothing({ prepareSource }: CellEngine): Promise<PreparedSource> {
  const { maxSourceBytes } = LOAD_LIMITS;
  return prepareSource("return null;", { language: "javascript", maxSourceBytes });
}

/** Runs a cell that does nothing, so that the code of its way has run before. */
async function warmUp({ runtime }: CellEngine, source: PreparedSource): Promise<void> {
  const vm = await runtime.create(EMPTY_SURFACE, { limits: LOAD_LIMITS });
  vm.evaluate(source, WARM_UP_BUDGET_MS);
  vm.dispose();
}

const EMPTY_SURFACE: GuestSurface = { fingerprint: "", tools: [], mcp: [], apiFiles: [] };
const WARM_UP_BUDGET_MS = 10_000;
const LOAD_LIMITS: VmLimits = {
  memoryLimitBytes: 16 * 1024 * 1024,
  maxOutputBytes: 1024,
  maxSnapshotBytes: 1024,
  maxSourceBytes: 1024,
};
