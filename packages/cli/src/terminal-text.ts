import pc from "picocolors";
import { isTerminal, type ProgramIo, type TextOutput } from "./program-io.js";

export type Colors = ReturnType<typeof pc.createColors>;

/** Colours for a stream: only on a terminal, and not when `NO_COLOR` is set to anything. */
export function colorsFor(stream: TextOutput, env: ProgramIo["env"]): Colors {
  return pc.createColors(isTerminal(stream, env) && (env["NO_COLOR"] ?? "") === "");
}

/** Control characters but tab and newline, marks that turn the direction of writing, separators of lines. */
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Text of tools and servers made harmless for a terminal: what would steer or reorder it becomes visible. */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}
