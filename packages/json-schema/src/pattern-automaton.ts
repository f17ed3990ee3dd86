import type { Assertion } from "./pattern-parse.js";
import type { PatternProgram } from "./pattern-program.js";

/** Work that may still be spent; shared by everything one check does. */
export interface Budget {
  left: number;
}

/** Characters that cost one unit of work where the way on is known. */
const CHARS_PER_UNIT = 16;
/** Known ways on, over all states; then they are forgotten and found anew. */
const MAX_KNOWN_WAYS = 4_000;
const MAX_STATES = 200;
const ASCII_END = 128;
const FIRST_SURROGATE = 0xd800;

/** Where all ways through the program stand at once. */
interface State {
  readonly addresses: readonly number[];
  readonly before: Before;
  /** Whether nothing can come of it any more. */
  readonly isDead: boolean;
  /** Whether it matches where the text ends, once that is known. */
  matchesAtEnd: boolean | undefined;
  /** By ASCII character. */
  readonly ascii: (Next | undefined)[];
  readonly others: Map<number, Next>;
}

/** What stands in front of the position. */
type Before = "start" | "word" | "other";
type Next = State | "match";

/** A place in a text, with what may be spent there. */
interface Reading {
  readonly text: string;
  readonly budget: Budget;
}

/**
 * A program as an automaton that is built while it reads: for each state and character it follows the program once and
 * keeps where that led. So a text costs a look-up a character, whatever the pattern.
 *
 * What it keeps is bounded, and a look-ahead, which depends on more than one character, is never kept.
 */
export class PatternAutomaton {
  readonly #program: PatternProgram;
  /** Whether a match may begin later than where reading begins. */
  readonly #isSearch: boolean;
  readonly #aheads = new Map<PatternProgram, PatternAutomaton>();
  readonly #states = new Map<string, State>();
  #starts: Partial<Record<Before, State>> = {};
  #knownWays = 0;

  constructor(program: PatternProgram, isSearch: boolean) {
    this.#program = program;
    this.#isSearch = isSearch;
    for (const step of program.steps) {
      if (step.op === "ahead") this.#aheads.set(step.program, new PatternAutomaton(step.program, false));
    }
  }

  /** Whether the program matches from a position of the text on. Undefined when the budget runs out first. */
  run(reading: Reading, from: number): boolean | undefined {
    const { text, budget } = reading;
    const { isUnicode } = this.#program;
    let state = this.#startAt(beforeOf(text, from));
    let paidUntil = from;
    for (let position = from; position < text.length;) {
      if (position >= paidUntil) {
        paidUntil += CHARS_PER_UNIT;
        budget.left -= 1;
        if (budget.left < 0) return undefined;
      }
      let unit = text.charCodeAt(position);
      if (isUnicode && unit >= FIRST_SURROGATE) unit = text.codePointAt(position) ?? 0;
      const known = unit < ASCII_END ? state.ascii[unit] : state.others.get(unit);
      const next = known ?? this.#follow(state, reading, { position, unit });
      if (next === undefined) return undefined;
      if (next === "match") return true;
      if (next.isDead) return false;
      state = next;
      position += unit > 0xffff ? 2 : 1;
    }
    return state.matchesAtEnd ?? this.#finish(state, reading);
  }

  #finish(state: State, reading: Reading): boolean | undefined {
    const reached = this.#reach(state, reading, { position: reading.text.length, unit: undefined });
    if (reached?.isKept === true) state.matchesAtEnd = reached.hasMatched;
    return reached?.hasMatched;
  }

  /** Where one character leads; kept when nothing but the state and the character decided it. */
  #follow(state: State, reading: Reading, at: { readonly position: number; readonly unit: number }): Next | undefined {
    const reached = this.#reach(state, reading, at);
    if (reached === undefined) return undefined;
    const next = reached.hasMatched ? "match" : this.#after(reached.waiting, at.unit);
    if (reached.isKept) {
      this.#knownWays += 1;
      if (at.unit < ASCII_END) state.ascii[at.unit] = next;
      else state.others.set(at.unit, next);
    }
    return next;
  }

  #after(waiting: readonly number[], unit: number): State {
    const character = String.fromCodePoint(unit);
    const addresses = new Set<number>(this.#isSearch ? [0] : []);
    for (const address of waiting) {
      const step = this.#program.steps[address];
      if (step?.op === "character" && step.matches(character)) addresses.add(address + 1);
    }
    return this.#state([...addresses], isWord(unit) ? "word" : "other");
  }

  #startAt(before: Before): State {
    const known = this.#starts[before];
    if (known !== undefined) return known;
    const state = this.#state([0], before);
    this.#starts[before] = state;
    return state;
  }

  #state(addresses: number[], before: Before): State {
    const key = `${before} ${addresses.sort((one, other) => one - other).join(" ")}`;
    if (this.#states.size >= MAX_STATES || this.#knownWays >= MAX_KNOWN_WAYS) this.#forget();
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const isDead = addresses.length === 0;
    const state: State = { addresses, before, isDead, matchesAtEnd: undefined, ascii: [], others: new Map() };
    this.#states.set(key, state);
    return state;
  }

  /** A state that is still read from goes when the reading leaves it. */
  #forget(): void {
    this.#states.clear();
    this.#starts = {};
    this.#knownWays = 0;
  }

  /** All character steps that can be reached without consuming a character. Undefined when the budget is spent. */
  #reach(
    state: State,
    reading: Reading,
    at: { readonly position: number; readonly unit: number | undefined },
  ): { readonly waiting: readonly number[]; readonly hasMatched: boolean; readonly isKept: boolean } | undefined {
    const { steps } = this.#program;
    const { budget } = reading;
    budget.left -= 2;
    const visited = new Set<number>();
    const waiting: number[] = [];
    const stack = [...state.addresses];
    let isKept = true;
    for (let address = stack.pop(); address !== undefined; address = stack.pop()) {
      if (visited.has(address)) continue;
      visited.add(address);
      budget.left -= 1;
      if (budget.left < 0) return undefined;
      const step = steps[address];
      if (step?.op === "match") return { waiting, hasMatched: true, isKept };
      if (step?.op === "character") waiting.push(address);
      else if (step?.op === "split") stack.push(...step.to);
      else if (step?.op === "assert") {
        if (holds(step.assertion, state.before, at.unit)) stack.push(address + 1);
      } else if (step?.op === "ahead") {
        isKept = false;
        const isAhead = this.#aheads.get(step.program)?.run(reading, at.position);
        if (isAhead === undefined) return undefined;
        if (isAhead !== step.isNegated) stack.push(address + 1);
      }
    }
    return { waiting, hasMatched: false, isKept };
  }
}

/** Whether an assertion holds between what stands before and the next character, which is missing at the end. */
function holds(assertion: Assertion, before: Before, unit: number | undefined): boolean {
  const isBoundary = (before === "word") !== (unit !== undefined && isWord(unit));
  switch (assertion) {
    case "start":
      return before === "start";
    case "end":
      return unit === undefined;
    case "boundary":
      return isBoundary;
    case "no-boundary":
      return !isBoundary;
  }
}

function beforeOf(text: string, position: number): Before {
  if (position === 0) return "start";
  return isWord(text.charCodeAt(position - 1)) ? "word" : "other";
}

/** ASCII letters, digits and the underscore. */
function isWord(unit: number): boolean {
  return (
    (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || unit === 0x5f || (unit >= 0x61 && unit <= 0x7a)
  );
}
