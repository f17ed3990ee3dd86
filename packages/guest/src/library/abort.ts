import {
  DOMExceptionConstructor,
  TypeErrorConstructor,
  append,
  apply,
  bareList,
  createObject,
  queueTask,
} from "../library-primordials.js";
import type { LibraryServices } from "../library-services.js";
import { listOf } from "./iterate.js";
import { nameClass } from "./name-class.js";

type Callback = (event: unknown) => unknown;

interface Listener {
  readonly callback: Callback;
  readonly isOnce: boolean;
}

/** Whoever does not have it cannot make a signal. */
const KEY = createObject(null) as object;

/** The globals `AbortController` and `AbortSignal`. Signals have `addEventListener`, for "abort", and `onabort`. */
export function createAbortClasses({ setTimeout }: Pick<LibraryServices, "setTimeout">): Record<string, unknown> {
  let abort: (signal: AbortSignal, reason: unknown) => void;

  class AbortSignal {
    #onAbort: unknown = null;
    #isAborted = false;
    #reason: unknown;
    #listeners: Listener[] = bareList();

    static {
      abort = (signal, reason) => signal.#abort(reason);
    }

    constructor(key?: unknown) {
      if (key !== KEY) throw new TypeErrorConstructor("Illegal constructor: use new AbortController().signal.");
    }
    get onabort(): unknown {
      return this.#onAbort;
    }
    set onabort(callback: unknown) {
      this.#onAbort = callback;
    }
    get aborted(): boolean {
      return this.#isAborted;
    }
    get reason(): unknown {
      return this.#reason;
    }
    throwIfAborted(): void {
      if (this.#isAborted) throw this.#reason;
    }
    addEventListener(type: unknown, callback: unknown, options?: unknown): void {
      if (type !== "abort" || typeof callback !== "function") return;
      this.removeEventListener(type, callback);
      const isOnce = typeof options === "object" && options !== null && !!(options as { once?: unknown }).once;
      append(this.#listeners, { callback: callback as Callback, isOnce });
    }
    removeEventListener(type: unknown, callback: unknown): void {
      if (type !== "abort") return;
      const kept = bareList<Listener>();
      for (let index = 0; index < this.#listeners.length; index++) {
        const listener = this.#listeners[index] as Listener;
        if (listener.callback !== callback) append(kept, listener);
      }
      this.#listeners = kept;
    }

    #abort(reason: unknown): void {
      if (this.#isAborted) return;
      this.#isAborted = true;
      this.#reason = reason === undefined ? abortError() : reason;
      const event = { type: "abort", target: this, currentTarget: this };
      if (typeof this.#onAbort === "function") runCallback(this.#onAbort as Callback, this, event);
      const listeners = this.#listeners;
      for (let index = 0; index < listeners.length; index++) {
        const { callback, isOnce } = listeners[index] as Listener;
        if (isOnce) this.removeEventListener("abort", callback);
        runCallback(callback, this, event);
      }
    }

    static abort(reason?: unknown): AbortSignal {
      const signal = new AbortSignal(KEY);
      abort(signal, reason);
      return signal;
    }
    static timeout(delayMs: unknown): AbortSignal {
      const signal = new AbortSignal(KEY);
      const error = new DOMExceptionConstructor("The operation was aborted due to timeout", "TimeoutError");
      setTimeout(() => abort(signal, error), delayMs);
      return signal;
    }
    static any(signals: unknown): AbortSignal {
      const joined = new AbortSignal(KEY);
      const list = listOf(signals) as AbortSignal[];
      for (let index = 0; index < list.length; index++) {
        const signal = list[index] as AbortSignal;
        if (signal.#isAborted) abort(joined, signal.#reason);
        append(signal.#listeners, { callback: () => abort(joined, signal.#reason), isOnce: true });
      }
      return joined;
    }
  }

  class AbortController {
    readonly #signal = new AbortSignal(KEY);
    get signal(): AbortSignal {
      return this.#signal;
    }
    abort(reason?: unknown): void {
      abort(this.#signal, reason);
    }
  }

  nameClass(AbortSignal, "AbortSignal");
  nameClass(AbortController, "AbortController");
  return { AbortController, AbortSignal };
}

function abortError(): Error {
  return new DOMExceptionConstructor("This operation was aborted", "AbortError");
}

/** What a listener throws is an uncaught error of the cell, in a job of its own. */
function runCallback(callback: Callback, signal: object, event: unknown): void {
  try {
    apply(callback, signal, [event]);
  } catch (error) {
    queueTask(() => {
      throw error;
    });
  }
}
