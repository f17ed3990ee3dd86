import { WeakMapConstructor, apply, weakGet, weakSet } from "./primordials.js";

type Body = () => Promise<unknown>;

export type CellState =
  | { readonly status: "pending" }
  | { readonly status: "returned"; readonly value: unknown }
  | { readonly status: "threw"; readonly error: unknown };

/** Runs the cell's body and remembers how its promise settled. */
export interface Cell {
  start(body: Body): void;
  state(): CellState;
  /**
   * Awaits promises that were found in the returned value; the cell is pending meanwhile. A rejection is the cell's
   * failure, as if the body had awaited it.
   */
  awaitInside(promises: readonly object[]): void;
  /** What a promise in the returned value resolved to; undefined while it was not awaited. */
  settledForm(promise: object): { readonly plain: unknown } | undefined;
}

export function createCell(): Cell {
  let state: CellState = { status: "pending" };
  const settled = new WeakMapConstructor<object, { readonly plain: unknown }>();

  async function run(body: Body): Promise<void> {
    try {
      state = { status: "returned", value: await apply(body, undefined, []) };
    } catch (error) {
      state = { status: "threw", error };
    }
  }

  async function settle(promises: readonly object[], returned: CellState): Promise<void> {
    try {
      for (let index = 0; index < promises.length; index++) {
        const promise = promises[index] as Promise<unknown>;
        weakSet(settled, promise, { plain: await promise });
      }
      state = returned;
    } catch (error) {
      state = { status: "threw", error };
    }
  }

  return {
    start: (body) => void run(body),
    state: () => state,
    awaitInside(promises) {
      const returned = state;
      state = { status: "pending" };
      void settle(promises, returned);
    },
    settledForm: (promise) => weakGet(settled, promise),
  };
}
