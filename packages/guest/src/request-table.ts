import { errorText } from "./describe-error.js";
import {
  CHANGEABLE,
  ErrorConstructor,
  MapConstructor,
  ORDINARY,
  PromiseConstructor,
  WeakMapConstructor,
  define,
  mapDelete,
  mapGet,
  mapSet,
  sizeOf,
  weakGet,
  weakSet,
} from "./primordials.js";
import { createStepLimits } from "./step-limits.js";

/**
 * A settlement as it arrives from the host: the value already parsed. Every field is always its own property, so that
 * nothing is read from a prototype the guest may have changed.
 */
export type Settlement =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: SettlementError };

interface SettlementError {
  readonly name: string;
  readonly message: string;
  readonly code: string | null;
}

interface Waiter {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  /** Made at the call, so that its stack names the place in the cell. */
  readonly error: Error;
}

/** The guest's side of the bridge: requests not yet collected, and who waits for which reply. */
export interface RequestTable {
  /**
   * Queues a request and returns the promise of its reply. `fields` gives JSON text that starts with a comma, or
   * nothing; what it throws rejects the promise. `read` turns the reply into what the promise resolves to; nothing of the
   * guest's runs in between.
   */
  send(method: string, fields: () => string, read?: (value: unknown) => unknown): Promise<unknown>;
  /** Queues a request whose reply calls `onReply`; the returned id identifies it. */
  sendWithCallback(method: string, fields: string, onReply: () => void): number;
  settle(settlement: Settlement): void;
  /** Forgets a request without settling it. False when it is not outstanding. */
  forget(id: number): boolean;
  /** JSON text of an array of the requests queued since the last call. */
  takeRequests(): string;
  outstanding(): number;
  /** Whether `error` was made from a failed reply and `message`, its description, is still what the host said. */
  isBridgeError(error: unknown, message: string): boolean;
  /** Why the guest may not go on: it asked for too much in one step. */
  excess(): string | undefined;
  /** Refuses new requests while a value of the guest's is read: its getters may not call tools. */
  whileSealed<Result>(work: () => Result): Result;
  /** From now on every new request is refused: the cell's result is being taken. */
  seal(): void;
}

export function createRequestTable(): RequestTable {
  const waiters = new MapConstructor<number, Waiter>();
  /** Errors made from failed replies, with what the host said. */
  const bridgeErrors = new WeakMapConstructor<object, string>();
  const limits = createStepLimits();
  let nextId = 1;
  let queued = "";
  let isSealed = false;

  function enqueue(method: string, fields: string, waiter: Waiter): number {
    if (isSealed) throw new ErrorConstructor("no call can start while a value is read or the result is taken");
    limits.count(method, fields.length);
    const id = nextId++;
    // First who waits: the guest's stack may end here, and then there must be no request either.
    mapSet(waiters, id, waiter);
    queued += `${queued === "" ? "" : ","}{"method":"${method}","id":${id}${fields}}`;
    return id;
  }

  function whileSealed<Result>(work: () => Result): Result {
    const wasSealed = isSealed;
    isSealed = true;
    try {
      return work();
    } finally {
      isSealed = wasSealed;
    }
  }

  return {
    whileSealed,
    // One promise, settled by the reply itself: resolving a promise with another would run the guest's `then`.
    send: (method, fields, read) =>
      new PromiseConstructor((resolve, reject) => {
        const error = new ErrorConstructor();
        const text = whileSealed(fields);
        enqueue(method, text, {
          resolve: read === undefined ? resolve : (value) => resolve(read(value)),
          reject,
          error,
        });
      }),
    sendWithCallback: (method, fields, onReply) =>
      enqueue(method, fields, { resolve: onReply, reject: onReply, error: new ErrorConstructor() }),
    settle(settlement) {
      const waiter = mapGet(waiters, settlement.id);
      if (waiter === undefined) return;
      mapDelete(waiters, settlement.id);
      if (settlement.ok) {
        waiter.resolve(settlement.value);
        return;
      }
      const { name, message } = settlement.error;
      weakSet(bridgeErrors, fillError(waiter.error, settlement.error), errorText(name, message));
      waiter.reject(waiter.error);
    },
    forget: (id) => mapDelete(waiters, id),
    takeRequests() {
      const text = `[${queued}]`;
      queued = "";
      limits.startStep();
      return text;
    },
    outstanding: () => sizeOf(waiters),
    isBridgeError: (error, message) =>
      typeof error === "object" && error !== null && weakGet(bridgeErrors, error) === message,
    excess: limits.excess,
    seal() {
      isSealed = true;
    },
  };
}

function fillError(error: Error, plain: SettlementError): Error {
  define(error, "message", plain.message, CHANGEABLE);
  if (plain.name !== "Error") define(error, "name", plain.name, CHANGEABLE);
  if (plain.code !== null) define(error, "code", plain.code, ORDINARY);
  return error;
}
