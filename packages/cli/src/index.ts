// prettier-ignore
export { installedDependencies, type Dependencies } from "./dependencies.js";
// prettier-ignore
export { EXIT_CODES, type ExitCode } from "./exit-codes.js";
// prettier-ignore
export { main } from "./main.js";
// prettier-ignore
export type { Interruption, ProgramIo, TextOutput } from "./program-io.js";
