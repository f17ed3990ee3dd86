import { LANGUAGES } from "./cell.js";
import { Type, type Static } from "./schema-builder.js";

export const PreparedSourceSchema = Type.Object({
  language: Type.Enum([...LANGUAGES]),
  /** The submitted text, to which positions refer. */
  submitted: Type.String(),
  /** JavaScript: the body of a strict async function. */
  code: Type.String(),
  /** Text inserted into the JavaScript (after compiling, for TypeScript): offset in `code` and length, UTF-16. */
  insertions: Type.Array(Type.Object({ offset: Type.Integer({ minimum: 0 }), length: Type.Integer({ minimum: 0 }) })),
  /** Source map (version 3, JSON text) from the compiled JavaScript before insertions to `submitted`. */
  sourceMap: Type.Optional(Type.String()),
});
/** A cell's source, checked and ready for the engine, with what is needed to find positions again. */
export type PreparedSource = Static<typeof PreparedSourceSchema>;

/**
 * A place in `code` as the engine reports it: 1-based line, 1-based column in UTF-8 bytes. Line 0 stands before the code:
 * the engine marks operators and names, and had met none.
 */
export interface EnginePosition {
  readonly line: number;
  readonly columnBytes: number;
}
