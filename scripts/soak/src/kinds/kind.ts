import type { CodeModeResult } from "@codemode/protocol";
import type { Stage } from "../stage.js";

/** One sort of cell. */
export interface CellKind {
  readonly name: string;
  /** Share of such cells, against the other kinds. */
  readonly weight: number;
  /** How such a cell may end; see `endingOf`. */
  readonly endings: readonly string[];
  /**
   * Plays one cell from exec to its end, and says how it ended.
   *
   * @throws {WrongEnding} when anything but that ending is wrong: a value, a call, what is left behind.
   */
  play(stage: Stage): Promise<string>;
}

/** A cell did not do what its kind has to. */
export class WrongEnding extends Error {
  override readonly name = "WrongEnding";
}

/** `completed`, `waiting yield`, `failed timeout` (the code), `failed in guest` (the phase, where there is no code). */
export function endingOf(result: CodeModeResult): string {
  switch (result.status) {
    case "completed":
      return "completed";
    case "waiting":
      return `waiting ${result.reason}`;
    case "failed":
      return result.code === undefined ? `failed in ${result.failurePhase}` : `failed ${result.code}`;
  }
}
