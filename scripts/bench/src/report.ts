import type { Summary } from "./statistics.js";

export type Unit = "ms" | "MB" | "bytes" | "tokens" | "%" | "x";

interface SideShared {
  readonly name: string;
  /** `ours` is measured, a `peer` does the same work another way, `floor` is what no design of the kind goes below. */
  readonly role: "ours" | "peer" | "floor";
}

/** One line of a comparison. */
export type Side =
  | (SideShared & {
      readonly status: "measured";
      readonly unit: Unit;
      readonly summary: Summary;
      /** p50 of this side over p50 of the named one. */
      readonly ratio?: { readonly to: string; readonly value: number };
    })
  | (SideShared & { readonly status: "unavailable"; readonly reason: string });

/** What a figure has to be. */
export interface Target {
  readonly text: string;
  readonly status: "met" | "missed" | "not measured";
  /** The figure, in `unit`; absent when it is not measured. */
  readonly actual?: number;
  /** The bound in the same unit; absent when a side it follows from is not measured. */
  readonly limit?: number;
  readonly unit: Unit;
}

/** One comparison: a work of the performance table with everything that did it. */
export interface Measurement {
  readonly id: string;
  readonly title: string;
  readonly sides: readonly Side[];
  readonly targets: readonly Target[];
}

/** One whole run of the benchmark. Serialisable. */
export interface Report {
  readonly measuredAt: string;
  readonly isQuick: boolean;
  readonly node: string;
  readonly platform: string;
  readonly cpus: number;
  readonly measurements: readonly Measurement[];
}
