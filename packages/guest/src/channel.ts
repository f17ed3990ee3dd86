import { toJsonText } from "@codemode/bridge";
import type { Callables } from "./callables.js";
import type { Cell } from "./cell.js";
import { describeError, type ErrorDescription } from "./describe-error.js";
import type { Output } from "./output.js";
import { parseJson, stringifyJson } from "./primordials.js";
import type { Rejections } from "./rejections.js";
import type { RequestTable, Settlement } from "./request-table.js";
import type { Timers } from "./timers.js";

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
  /** `{ "settled": Settlement[], "cancelled": number[] }` */
  deliver(text: string): void;
  rejected(promise: object, reason: unknown, isHandled: boolean): void;
  uncaught(reason: unknown): void;
  /** Where the cell stands when nothing is left to run: JSON text of a `ChannelStep`. */
  step(): string;
  /** JSON text of the output not yet taken, for a cell that was stopped. */
  output(): string;
  /** After a `completed` step: compact JSON of the cell's value. */
  value(): string;
  /** JSON text of the description of an error that left the prelude. */
  describe(error: unknown): string;
}

export function createChannel(parts: ChannelParts): Channel {
  const { requests, timers, rejections, output, cell, plainFormOf } = parts;
  let valueText = "null";

  function boundary(isSettled: boolean): string {
    const cancelled = timers.takeCancelled();
    return `{"type":"boundary","requests":${requests.takeRequests()},"cancelled":${cancelled},"isSettled":${isSettled},"output":${output.take()}}`;
  }

  function failed(phase: "guest" | "bridge", description: ErrorDescription): string {
    return `{"type":"failed","phase":"${phase}","message":${stringifyJson(description.message)},"stack":${stringifyJson(description.stack)},"output":${output.take()}}`;
  }

  function thrown(error: unknown): string {
    return failed(requests.isBridgeError(error) ? "bridge" : "guest", describeError(error));
  }

  return {
    start(body, maxOutputChars) {
      output.limitTo(maxOutputChars);
      cell.start(body);
    },
    deliver(text) {
      const delivery = parseJson(text) as { settled: Settlement[]; cancelled: number[] };
      for (let index = 0; index < delivery.cancelled.length; index++)
        timers.dropped(delivery.cancelled[index] as number);
      for (let index = 0; index < delivery.settled.length; index++)
        requests.settle(delivery.settled[index] as Settlement);
    },
    rejected: (promise, reason, isHandled) => rejections.report(promise, reason, isHandled),
    uncaught: (reason) => rejections.uncaught(reason),
    step() {
      const state = cell.state();
      if (requests.outstanding() > 0) return boundary(state.status !== "pending");
      requests.seal();
      if (state.status === "threw") return thrown(state.error);
      const unhandled = rejections.first();
      if (unhandled !== undefined) return thrown(unhandled.reason);
      if (state.status === "pending")
        return failed("guest", { message: `Error: ${PENDING_WITHOUT_HOST_WORK}`, stack: "" });
      valueText = toJsonText(state.value, { plainFormOf });
      return `{"type":"completed","output":${output.take()}}`;
    },
    output: () => output.take(),
    value: () => valueText,
    describe(error) {
      const description = describeError(error);
      return `{"message":${stringifyJson(description.message)},"stack":${stringifyJson(description.stack)}}`;
    },
  };
}
