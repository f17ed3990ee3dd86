import type { CAC } from "cac";
import type { Dependencies } from "../dependencies.js";
import type { ProgramIo } from "../program-io.js";

/** One command of the program. */
export interface Command {
  /** Adds it to the parser. Its action resolves to an exit code; what it throws is told by `main`. */
  register(cli: CAC, io: ProgramIo, dependencies: Dependencies): void;
}
