import type { Timers } from "./timers.js";

/**
 * Asks the worker that runs the VM. The question is JSON text of an object, what comes back is plain data. Throws what
 * Intl throws.
 */
export type Ask = (question: string) => unknown;

/** What a chunk of the guest library gets of the prelude. */
export interface LibraryServices {
  readonly ask: Ask;
  readonly setTimeout: Timers["setTimeout"];
  /** Adds a line to the cell's text output. */
  writeLine(text: string): void;
  /** Compact JSON of a value's plain form, without running its getters. */
  inertText(value: unknown): string;
  /** The longest prefix of at most `maxBytes` UTF-8 bytes; it splits no character. */
  cutUtf8(text: string, maxBytes: number): string;
  /** What stands for objects of the library in results and output; undefined for all others. */
  addPlainForm(formOf: (value: object) => { readonly plain: unknown } | undefined): void;
  /** Whether an object is one of the library's own. */
  isOwnObject(value: object): boolean;
}
