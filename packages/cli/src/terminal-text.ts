import pc from "picocolors";
import { isTerminal, type ProgramIo, type TextOutput } from "./program-io.js";

export type Colors = ReturnType<typeof pc.createColors>;

/** Colours for a stream: only on a terminal, and not when `NO_COLOR` is set to anything. */
export function colorsFor(stream: TextOutput, env: ProgramIo["env"]): Colors {
  return pc.createColors(isTerminal(stream, env) && (env["NO_COLOR"] ?? "") === "");
}

/** Text of tools and servers made harmless for a terminal: control characters but tab and newline become visible. */
export function visibleText(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
}
