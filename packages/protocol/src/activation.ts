import type { CellLimits } from "./limits.js";

/** The decision whether code mode owns a run's tools, and with which limits. */
export interface Activation {
  readonly engaged: boolean;
  readonly reason: string;
  readonly source: "agent_model" | "agent" | "default_model" | "global" | "default";
  readonly limits: CellLimits;
}
