import { PatternAutomaton, type Budget } from "./pattern-automaton.js";
import type { PatternProgram } from "./pattern-program.js";

/** Whether the pattern matches somewhere in the text. Undefined when the budget runs out first. */
export type PatternMatcher = (text: string, budget: Budget) => boolean | undefined;

/** Follows all ways through the pattern at once; what it learns about the pattern is kept for the next text. */
export function createMatcher(program: PatternProgram): PatternMatcher {
  let automaton: PatternAutomaton | undefined;
  return (text, budget) => {
    automaton ??= new PatternAutomaton(program, true);
    return automaton.run({ text, budget }, 0);
  };
}
