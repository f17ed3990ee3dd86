import { apply } from "./primordials.js";

type Body = () => Promise<unknown>;

export type CellState =
  | { readonly status: "pending" }
  | { readonly status: "returned"; readonly value: unknown }
  | { readonly status: "threw"; readonly error: unknown };

/** Runs the cell's body and remembers how its promise settled. */
export interface Cell {
  start(body: Body): void;
  state(): CellState;
}

export function createCell(): Cell {
  let state: CellState = { status: "pending" };
  async function run(body: Body): Promise<void> {
    try {
      state = { status: "returned", value: await apply(body, undefined, []) };
    } catch (error) {
      state = { status: "threw", error };
    }
  }
  return {
    start: (body) => void run(body),
    state: () => state,
  };
}
