import { apply } from "./primordials.js";
import { settleInside } from "./settle-inside.js";

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
      const value: unknown = await apply(body, undefined, []);
      if (typeof value === "object" && value !== null) await settleInside(value);
      state = { status: "returned", value };
    } catch (error) {
      state = { status: "threw", error };
    }
  }
  return {
    start: (body) => void run(body),
    state: () => state,
  };
}
