import {
  ErrorConstructor,
  MapConstructor,
  PromiseConstructor,
  WeakSetConstructor,
  addToWeakSet,
  define,
  inWeakSet,
  mapDelete,
  mapGet,
  mapSet,
  sizeOf,
} from "./primordials.js";

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
  /** Whether an error was made from a failed reply, however the guest changed it since. */
  isBridgeError(error: unknown): boolean;
  /** Refuses new requests while a value of the guest's is read: its getters may not call tools. */
  whileSealed<Result>(work: () => Result): Result;
  /** From now on every new request is refused: the cell's result is being taken. */
  seal(): void;
}

export function createRequestTable(): RequestTable {
  const waiters = new MapConstructor<number, Waiter>();
  const bridgeErrors = new WeakSetConstructor();
  let nextId = 1;
  let queued = "";
  let isSealed = false;

  function enqueue(method: string, fields: string, waiter: Waiter): number {
    if (isSealed) throw new ErrorConstructor("no call can start while a value is read or the result is taken");
    const id = nextId++;
    queued += `${queued === "" ? "" : ","}{"method":"${method}","id":${id}${fields}}`;
    mapSet(waiters, id, waiter);
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
      addToWeakSet(bridgeErrors, fillError(waiter.error, settlement.error));
      waiter.reject(waiter.error);
    },
    forget: (id) => mapDelete(waiters, id),
    takeRequests() {
      const text = `[${queued}]`;
      queued = "";
      return text;
    },
    outstanding: () => sizeOf(waiters),
    isBridgeError: (error) => typeof error === "object" && error !== null && inWeakSet(bridgeErrors, error),
    seal() {
      isSealed = true;
    },
  };
}

function fillError(error: Error, plain: SettlementError): Error {
  define(error, "message", plain.message, { writable: true });
  if (plain.name !== "Error") define(error, "name", plain.name, { writable: true });
  if (plain.code !== null) define(error, "code", plain.code, { writable: true, enumerable: true });
  return error;
}
