import type { Callables } from "./callables.js";
import type { Cell } from "./cell.js";
import { describeError, type ErrorDescription } from "./describe-error.js";
import type { Output } from "./output.js";
import { parseJson, stringifyJson } from "./primordials.js";
import type { Rejections } from "./rejections.js";
import type { RequestTable, SettlementError } from "./request-table.js";
import { createResultValue } from "./result-value.js";
import type { Timers } from "./timers.js";

/** Jobs must run before the cell's step is known. */
const AGAIN = '{"type":"again"}';
const PENDING_WITHOUT_HOST_WORK = "code mode promise is pending without host work";

export interface ChannelParts {
  readonly requests: RequestTable;
  readonly timers: Timers;
  readonly rejections: Rejections;
  readonly output: Output;
  readonly cell: Cell;
  readonly plainFormOf: Callables["plainFormOf"];
}

/**
 * What the engine adapter holds of the prelude; the guest never sees it. Everything but the cell's body crosses as JSON
 * text.
 */
export interface Channel {
  /** Runs the cell. `maxOutputChars` is the most JSON characters of output that are kept whole. */
  start(body: () => Promise<unknown>, maxOutputChars: number): void;
  /** Settles one request: with a value, JSON text, or with a `SettlementError`, JSON text. */
  resolve(id: number, text: string): void;
  reject(id: number, text: string): void;
  /** The host dropped a timer. */
  drop(id: number): void;
  rejected(promise: object, reason: unknown, isHandled: boolean): void;
  uncaught(reason: unknown): void;
  /**
   * Where the cell stands when nothing is left to run: JSON text of a `ChannelStep`; then, after a line break, the inputs of
   * its calls one after the other, or the JSON text of its value.
   */
  step(): string;
  /** JSON text of the output not yet taken, for a cell that was stopped. */
  output(): string;
  /** JSON text of the description of an error that left the prelude. */
  describe(error: unknown): string;
}

export function createChannel(parts: ChannelParts): Channel {
  const { requests, timers, rejections, output, cell } = parts;
  const result = createResultValue(cell, parts);
  let isDraining = false;

  function boundary(isSettled: boolean): string {
    const cancelled = timers.takeCancelled();
    return `{"type":"boundary","requests":${requests.takeRequests()},"cancelled":${cancelled},"isSettled":${isSettled},"output":${output.take()}}\n${requests.takeInputs()}`;
  }

  function failed(phase: "guest" | "bridge", description: ErrorDescription): string {
    return `{"type":"failed","phase":"${phase}","message":${stringifyJson(description.message)},"stack":${stringifyJson(description.stack)},"output":${output.take()}}`;
  }

  function thrown(error: unknown): string {
    requests.seal();
    const description = describeError(error);
    return failed(requests.isBridgeError(error, description.message) ? "bridge" : "guest", description);
  }

  function refused(message: string): string {
    return `{"type":"refused","message":${stringifyJson(message)},"output":${output.take()}}`;
  }

  return {
    start(body, maxOutputChars) {
      output.limitTo(maxOutputChars);
      cell.start(body);
    },
    resolve: (id, text) => requests.resolve(id, parseJson(text)),
    reject: (id, text) => requests.reject(id, parseJson(text) as SettlementError),
    drop: timers.dropped,
    rejected: (promise, reason, isHandled) => rejections.report(promise, reason, isHandled),
    uncaught: (reason) => rejections.uncaught(reason),
    step() {
      const state = cell.state();
      const excess = requests.excess();
      if (excess !== undefined) return refused(`RangeError: ${excess}`);
      if (requests.outstanding() > 0) {
        // Promises in the value count as awaited, so the cell has settled only when they have.
        if (state.status === "returned" && !isDraining) {
          if (result.write(state.value) === undefined) return AGAIN;
          isDraining = true;
        }
        return boundary(state.status !== "pending");
      }
      if (state.status === "threw") return thrown(state.error);
      const unhandled = rejections.first();
      if (unhandled !== undefined) return thrown(unhandled.reason);
      if (state.status === "pending")
        return failed("guest", { message: `Error: ${PENDING_WITHOUT_HOST_WORK}`, stack: "" });
      const text = result.write(state.value);
      if (text === undefined) return AGAIN;
      requests.seal();
      return `{"type":"completed","output":${output.take()}}\n${text}`;
    },
    output: () => output.take(),
    describe(error) {
      const description = describeError(error);
      return `{"message":${stringifyJson(description.message)},"stack":${stringifyJson(description.stack)}}`;
    },
  };
}
