import {
  ErrorConstructor,
  MapConstructor,
  PromiseConstructor,
  WeakSetConstructor,
  addToWeakSet,
  define,
  inWeakSet,
  joinTexts,
  mapDelete,
  mapGet,
  mapSet,
  sizeOf,
  textList,
} from "./primordials.js";

/**
 * A failure as it arrives from the host. Every field is always its own property, so that nothing is read from a prototype
 * the guest may have changed.
 */
export interface SettlementError {
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
   * Queues the call of a tool and returns the promise of its result. `encode` gives the input's JSON text; what it throws
   * rejects the promise. `site` is the error that a failed reply becomes, made where the call was made.
   */
  call(binding: number, site: Error, encode: () => string): Promise<unknown>;
  /**
   * Queues a request and returns the promise of its reply. `fields` gives JSON text that starts with a comma, or
   * nothing; what it throws rejects the promise. `read` turns the reply into what the promise resolves to; nothing of the
   * guest's runs in between.
   */
  send(method: string, fields: () => string, read?: (value: unknown) => unknown): Promise<unknown>;
  /** Queues a request whose reply calls `onReply`; the returned id identifies it. */
  sendWithCallback(method: string, fields: string, onReply: () => void): number;
  /** Settles a request; does nothing when it is not outstanding. */
  resolve(id: number, value: unknown): void;
  reject(id: number, error: SettlementError): void;
  /** Forgets a request without settling it. False when it is not outstanding. */
  forget(id: number): boolean;
  /** JSON text of an array of the requests queued since the last call. A call's `input` is only the length of its text. */
  takeRequests(): string;
  /** The inputs of the calls among them, one after the other. */
  takeInputs(): string;
  outstanding(): number;
  /** Whether an error was made from a failed reply, however the guest changed it since. */
  isBridgeError(error: unknown): boolean;
  /** Refuses new requests while a value of the guest's is read: its getters may not call tools. */
  whileSealed<Result>(work: () => Result): Result;
  /** From now on every new request is refused: the cell's result is being taken. */
  seal(): void;
}

const NO_SETTLERS = {
  resolve(_value: unknown): void {},
  reject(_error: unknown): void {},
};

export function createRequestTable(): RequestTable {
  const waiters = new MapConstructor<number, Waiter>();
  const bridgeErrors = new WeakSetConstructor();
  let nextId = 1;
  let queued: string[] = textList();
  let inputs: string[] = textList();
  let isSealed = false;
  let newest = NO_SETTLERS;
  /** One executor for all promises: a closure for each costs more than the call. */
  const keepSettlers = (resolve: (value: unknown) => void, reject: (error: unknown) => void): void => {
    newest = { resolve, reject };
  };

  function enqueue(method: string, fields: string, waiter: Waiter): number {
    if (isSealed) throw new ErrorConstructor("no call can start while a value is read or the result is taken");
    const id = nextId++;
    queued[queued.length] = `{"method":"${method}","id":${id}${fields}}`;
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

  function takeWaiter(id: number): Waiter | undefined {
    const waiter = mapGet(waiters, id);
    if (waiter !== undefined) mapDelete(waiters, id);
    return waiter;
  }

  return {
    whileSealed,
    // One promise, settled by the reply itself: resolving a promise with another would run the guest's `then`.
    call(binding, site, encode) {
      const promise = new PromiseConstructor(keepSettlers);
      const { resolve, reject } = newest;
      try {
        const input = whileSealed(encode);
        enqueue("call", `,"binding":${binding},"input":${input.length}`, { resolve, reject, error: site });
        inputs[inputs.length] = input;
      } catch (error) {
        reject(error);
      }
      return promise;
    },
    send(method, fields, read) {
      const error = new ErrorConstructor();
      const promise = new PromiseConstructor(keepSettlers);
      const { resolve, reject } = newest;
      try {
        const resolveRead = read === undefined ? resolve : (value: unknown) => resolve(read(value));
        enqueue(method, whileSealed(fields), { resolve: resolveRead, reject, error });
      } catch (failure) {
        reject(failure);
      }
      return promise;
    },
    sendWithCallback: (method, fields, onReply) =>
      enqueue(method, fields, { resolve: onReply, reject: onReply, error: new ErrorConstructor() }),
    resolve(id, value) {
      takeWaiter(id)?.resolve(value);
    },
    reject(id, plain) {
      const waiter = takeWaiter(id);
      if (waiter === undefined) return;
      addToWeakSet(bridgeErrors, fillError(waiter.error, plain));
      waiter.reject(waiter.error);
    },
    forget: (id) => mapDelete(waiters, id),
    takeRequests() {
      const text = `[${joinTexts(queued, ",")}]`;
      queued = textList();
      return text;
    },
    takeInputs() {
      const text = joinTexts(inputs, "");
      inputs = textList();
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
