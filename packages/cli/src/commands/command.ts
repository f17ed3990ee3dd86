import type { Dependencies } from "../dependencies.js";
import type { ExitCode } from "../exit-codes.js";
import type { OptionTable, ParsedArguments } from "../parse-arguments.js";
import type { ProgramIo } from "../program-io.js";

/** One command of the program. */
export interface Command {
  readonly name: string;
  /** What follows the name, as the help shows it. */
  readonly usage: string;
  /** One line. */
  readonly summary: string;
  readonly options: OptionTable;
  /** The rest of its help: examples and what else its user has to know. */
  readonly notes: string;
  /** What it throws is told by `main`. */
  run(args: ParsedArguments, io: ProgramIo, dependencies: Dependencies): Promise<ExitCode>;
}
