export { resolvePosition } from "./positions.js";
export { prepareSource, type PrepareOptions } from "./prepare-source.js";
export { SourceError } from "./source-error.js";
