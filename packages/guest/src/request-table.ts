import { errorText } from "./describe-error.js";
import type { ErrorHook } from "./error-hook.js";
import {
  CHANGEABLE,
  ErrorConstructor,
  MapConstructor,
  ORDINARY,
  PromiseConstructor,
  WeakMapConstructor,
  define,
  joinTexts,
  mapDelete,
  mapGet,
  mapSet,
  sizeOf,
  textList,
  weakGet,
  weakSet,
} from "./primordials.js";
import { createStepLimits } from "./step-limits.js";

/**
 * A failure as it arrives from the host. Every field is always its own property, so that nothing is read from a prototype
 * the guest may have changed.
 */
export interface SettlementError {
  readonly name: string;
  readonly message: string;
  readonly code: string | null;
}

/** What a call's result comes to. */
export type ReadResult =
  { readonly isFailure: false; readonly value: unknown } | { readonly isFailure: true; readonly message: string };

interface Settlers {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Who waits for a reply. `error` was made at the call; a failed reply fills it in. Without it `reject` gets what came. */
interface Waiter extends Settlers {
  readonly error: Error | undefined;
}

/** The guest's side of the bridge: requests not yet collected, and who waits for which reply. */
export interface RequestTable {
  /**
   * Queues the call of a tool and returns the promise of its result. `encode` gives the input's JSON text; what it throws
   * rejects the promise. `read` turns the result into what the promise resolves to, or says with which message the call
   * failed nevertheless; nothing of the guest's runs in between.
   */
  call(binding: number, encode: () => string, read?: (result: unknown) => ReadResult): Promise<unknown>;
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
  /** Whether `error` was made from a failed reply and `message`, its description, is still what the host said. */
  isBridgeError(error: unknown, message: string): boolean;
  /** Why the guest may not go on: it asked for too much in one step. */
  excess(): string | undefined;
  /** Refuses new requests while a value of the guest's is read: its getters may not call tools. */
  whileSealed<Result>(work: () => Result): Result;
  /** From now on every new request is refused: the cell's result is being taken. */
  seal(): void;
}

/** `errors` makes the error of a call at the call, so that its stack names the place in the cell. */
export function createRequestTable(errors: Pick<ErrorHook, "createMarked" | "writeStack">): RequestTable {
  const waiters = new MapConstructor<number, Waiter>();
  /** Errors made from failed replies, with what the host said. */
  const bridgeErrors = new WeakMapConstructor<object, string>();
  const limits = createStepLimits();
  let nextId = 1;
  let queued: string[] = textList();
  let inputs: string[] = textList();
  let isSealed = false;
  let newest: Settlers | undefined;
  /** One executor for all promises: a closure for each costs more than the call. */
  const keepSettlers = (resolve: Settlers["resolve"], reject: Settlers["reject"]): void => {
    newest = { resolve, reject };
  };

  /** Makes a promise and hands its settlers on. Where the guest's stack ends first there are none: it is rejected already. */
  function promiseOf(use: (settlers: Settlers) => void): Promise<unknown> {
    newest = undefined;
    const promise = new PromiseConstructor(keepSettlers);
    const settlers = newest as Settlers | undefined;
    newest = undefined;
    if (settlers === undefined) return promise;
    try {
      use(settlers);
    } catch (error) {
      settlers.reject(error);
    }
    return promise;
  }

  /** `input` goes beside the fields, which tell its length. */
  function enqueue(method: string, fields: string, waiter: Waiter, input = ""): number {
    if (isSealed) throw new ErrorConstructor("no call can start while a value is read or the result is taken");
    limits.count(method, fields.length + input.length);
    const id = nextId++;
    // First who waits: the guest's stack may end here, and then there must be no request either.
    mapSet(waiters, id, waiter);
    queued[queued.length] = `{"method":"${method}","id":${id}${fields}}`;
    inputs[inputs.length] = input;
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

  function rejectWith(plain: SettlementError, { reject }: Settlers, error: Error): void {
    errors.writeStack(error);
    weakSet(bridgeErrors, fillError(error, plain), errorText(plain.name, plain.message));
    reject(error);
  }

  function settleRead(result: ReadResult, settlers: Settlers, error: Error): void {
    if (!result.isFailure) settlers.resolve(result.value);
    else rejectWith({ name: "Error", message: result.message, code: null }, settlers, error);
  }

  return {
    whileSealed,
    // One promise, settled by the reply itself: resolving a promise with another would run the guest's `then`.
    call(binding, encode, read) {
      const error = errors.createMarked();
      return promiseOf((settlers) => {
        const input = whileSealed(encode);
        const { reject } = settlers;
        const resolve =
          read === undefined ? settlers.resolve : (result: unknown) => settleRead(read(result), settlers, error);
        enqueue("call", `,"binding":${binding},"input":${input.length}`, { resolve, reject, error }, input);
      });
    },
    send(method, fields, read) {
      const error = errors.createMarked();
      return promiseOf(({ resolve, reject }) => {
        const resolveRead = read === undefined ? resolve : (value: unknown) => resolve(read(value));
        enqueue(method, whileSealed(fields), { resolve: resolveRead, reject, error });
      });
    },
    sendWithCallback: (method, fields, onReply) =>
      enqueue(method, fields, { resolve: onReply, reject: onReply, error: undefined }),
    resolve(id, value) {
      takeWaiter(id)?.resolve(value);
    },
    reject(id, plain) {
      const waiter = takeWaiter(id);
      if (waiter === undefined) return;
      if (waiter.error === undefined) waiter.reject(plain);
      else rejectWith(plain, waiter, waiter.error);
    },
    forget: (id) => mapDelete(waiters, id),
    takeRequests() {
      const text = `[${joinTexts(queued, ",")}]`;
      queued = textList();
      limits.startStep();
      return text;
    },
    takeInputs() {
      const text = joinTexts(inputs, "");
      inputs = textList();
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
