import {
  credentialName,
  isAnnouncement,
  isCollectionName,
  isOpaque,
  wordsOf,
  type CredentialName,
} from "./credential-names.js";
import {
  ASSIGNMENTS,
  BEFORE_KEY,
  BODIES,
  COMPARISONS,
  GIVING,
  INFIXES,
  PREFIXES,
  VALUE_KEYS,
} from "./operand-words.js";
import { CLOSING, closingsOf, OPENING } from "./source-brackets.js";
import type { TextSpan } from "./spans-of-text.js";
import type { SourceToken } from "./source-tokens.js";

const CHAIN_MARKS = new Set([".", "?."]);
const TYPE_MARKS = new Set([">", ",", ".", "|", "&", "[", "]"]);
const MAX_TYPE_TOKENS = 40;
const MAX_NESTING = 50;
const MAX_CHAIN_TOKENS = 40;

/** What is masked in the literals of one place. */
interface Rule {
  readonly name: CredentialName;
  /** Only what looks like a credential: the place may hold something else. */
  readonly isCautious: boolean;
  /** All keys of an object hold one. */
  readonly isCollection: boolean;
}

/** How far the reading of an expression has come. */
interface OperandWalk {
  readonly rule: Rule;
  readonly depth: number;
  isOperandNext: boolean;
  /** `?` whose `:` is still to come. */
  ternaries: number;
}

/**
 * Literals that are assigned to, passed as or compared with something of a credential's name. Computations stay: what is
 * called, read or derived, booleans, `null`, and the literals that a call is given.
 */
export function findCredentialLiterals(source: string, tokens: readonly SourceToken[]): TextSpan[] {
  return new LiteralFinder(
    source,
    tokens.filter(({ kind }) => kind !== "comment"),
  ).find();
}

class LiteralFinder {
  readonly #spans: TextSpan[] = [];
  /** By opening bracket: the index of the one that closes it, or of the end. */
  readonly #closings: Uint32Array;
  /** How thoroughly the operand that begins at a name was searched from further left, so that none is searched twice. */
  readonly #searched: Uint8Array;

  constructor(
    readonly source: string,
    readonly tokens: readonly SourceToken[],
  ) {
    this.#closings = closingsOf(tokens);
    this.#searched = new Uint8Array(tokens.length);
  }

  find(): TextSpan[] {
    for (let index = 0; index < this.tokens.length; index++) this.#visit(index);
    return this.#spans;
  }

  #visit(index: number): void {
    const token = this.tokens[index] as SourceToken;
    if (token.kind !== "name" && token.kind !== "string") return;
    const text = this.source.slice(token.start, token.end);
    const name = credentialName(text);
    if (name === undefined) return;
    const rule: Rule = { name, isCautious: false, isCollection: isCollectionName(text) };
    if ((this.#searched[index] as number) >= thoroughness(rule)) return;
    const next = this.#afterName(index);
    const sign = this.#mark(next);
    if (ASSIGNMENTS.has(sign) && (sign !== ":" || this.#isKey(index))) this.#maskOperand(next + 1, rule, 0);
    else if (COMPARISONS.has(sign) && !this.#isTypeQuery(index)) {
      this.#maskOperand(next + 1, { ...rule, isCautious: true }, 0);
    } else if (token.kind === "string" && sign === ",") this.#visitPair(index, rule);
    else if (token.kind === "name" && sign === "(" && GIVING.has(wordsOf(text)[0] ?? "")) {
      this.#maskGroup(next, rule, 0);
    } else if (token.kind === "name") this.#visitReversed(index, rule);
  }

  /** The token after a name and what belongs to it: `]` of a computed one, `?` or `!` of a declared one. */
  #afterName(index: number): number {
    let next = index + 1;
    if (this.tokens[index]?.kind === "string" && this.#mark(index - 1) === "[" && this.#mark(next) === "]") next++;
    const mark = this.#mark(next);
    return (mark === "?" || mark === "!") && this.#mark(next + 1) === ":" ? next + 1 : next;
  }

  #isKey(index: number): boolean {
    const before = this.#mark(index - 1);
    return BEFORE_KEY.has(before) && this.#text(index - 1) !== "case";
  }

  /** `set("authorization", "…")`, and `["authorization", "…"]` in a list of such pairs. */
  #visitPair(index: number, rule: Rule): void {
    const before = this.#mark(index - 1);
    const outer = this.#mark(index - 2);
    const isCall = before === "(" && this.tokens[index - 2]?.kind === "name";
    const isEntry = before === "[" && (outer === "[" || outer === ",");
    if (isCall || isEntry) this.#maskOperand(index + 2, rule, 0);
  }

  /** `"…" === password` */
  #visitReversed(index: number, rule: Rule): void {
    const first = this.#chainStart(index);
    if (!COMPARISONS.has(this.#mark(first - 1)) || this.#mark(first - 1).startsWith("?")) return;
    this.#maskLiteral(first - 2, { ...rule, isCautious: true });
  }

  #isTypeQuery(index: number): boolean {
    return this.#text(this.#chainStart(index) - 1) === "typeof";
  }

  /** The first name of `a.b?.c`, if the chain is not too long. */
  #chainStart(index: number): number {
    let first = index;
    while (index - first < MAX_CHAIN_TOKENS && CHAIN_MARKS.has(this.#mark(first - 1))) first -= 2;
    return first;
  }

  /**
   * Masks the literals that an expression may come to, from `start` to its end. Gives the index of the first token after
   * it. Arguments and indexes are jumped over, functions end it.
   */
  #maskOperand(start: number, rule: Rule, depth: number): number {
    const walk: OperandWalk = { rule, depth, isOperandNext: true, ternaries: 0 };
    let index = start;
    while (index < this.tokens.length) {
      const isMark = this.tokens[index]?.kind === "mark";
      const next = isMark ? this.#passMark(index, walk) : this.#passWord(index, walk);
      if (next === undefined) break;
      index = next;
    }
    return index;
  }

  /** The index to go on at; undefined where the expression has ended. */
  #passMark(index: number, walk: OperandWalk): number | undefined {
    const mark = this.#mark(index);
    if (OPENING.has(mark)) return this.#passOpening(index, walk);
    if (mark === "<" && !walk.isOperandNext) {
      const end = this.#typeArgumentsEnd(index);
      if (end !== undefined) return end;
    }
    if (CLOSING.has(mark) || mark === "," || mark === ";") return undefined;
    if (mark === "." || mark === "?.") return index + 2;
    if (mark === ":" && walk.ternaries === 0 && !walk.isOperandNext && walk.depth === 0) return undefined;
    if (mark === "?") walk.ternaries++;
    if (mark === ":" && walk.ternaries > 0) walk.ternaries--;
    if (mark !== "++" && mark !== "--" && mark !== "!") walk.isOperandNext = true;
    return index + 1;
  }

  /** The index after `<…>` when that may be a list of types. */
  #typeArgumentsEnd(open: number): number | undefined {
    let depth = 0;
    for (let index = open; index < open + MAX_TYPE_TOKENS && index < this.tokens.length; index++) {
      const mark = this.#mark(index);
      if (mark === "<") depth++;
      else if (mark === ">" && --depth === 0) return index + 1;
      else if (mark !== "" && !TYPE_MARKS.has(mark)) return undefined;
    }
    return undefined;
  }

  #passOpening(index: number, walk: OperandWalk): number | undefined {
    const mark = this.#mark(index);
    const isGroup = walk.isOperandNext && mark !== "${";
    const isBody = mark === "{" && (!isGroup || this.#mark(index - 1) === "=>");
    if (isBody) return undefined;
    walk.isOperandNext = false;
    return 1 + (isGroup ? this.#maskGroup(index, walk.rule, walk.depth + 1) : this.#closing(index));
  }

  #passWord(index: number, walk: OperandWalk): number | undefined {
    const { kind, text, isOnNewLine } = this.tokens[index] as SourceToken;
    const { rule, isOperandNext } = walk;
    // After an operand a template is the text of a tag, or goes on after a substitution.
    const goesOn = kind === "template" && this.#mark(index - 1) === "}";
    if (isOperandNext && BODIES.has(text)) return undefined;
    if (isOperandNext && PREFIXES.has(text)) return index + 1;
    if (!isOperandNext && INFIXES.has(text)) walk.isOperandNext = true;
    else {
      // Two operands in a row: another statement has begun.
      if (!isOperandNext && kind !== "template" && (isOnNewLine || kind !== "name")) return undefined;
      this.#searched[index] = Math.max(this.#searched[index] as number, thoroughness(rule));
      if (isOperandNext || goesOn) this.#maskLiteral(index, rule);
      walk.isOperandNext = false;
    }
    return index + 1;
  }

  /** Masks within the brackets that open at `open`; gives the index of those that close them. */
  #maskGroup(open: number, rule: Rule, depth: number): number {
    const close = this.#closing(open);
    if (depth > MAX_NESTING) return close;
    const isObject = this.#mark(open) === "{";
    for (let index = open + 1; index < close; index++) {
      if (isObject) {
        const next = this.#afterName(index);
        if (this.#mark(next) !== ":") continue;
        const key = this.#text(index);
        const holds = rule.isCollection || VALUE_KEYS.has(key.toLowerCase()) || credentialName(key) !== undefined;
        index = holds ? this.#maskOperand(next + 1, rule, depth) : this.#skipOperand(next + 1, close);
      } else index = this.#maskOperand(index, rule, depth);
    }
    return close;
  }

  /** The index of the comma that ends a property, or of `close`. */
  #skipOperand(start: number, close: number): number {
    let index = start;
    while (index < close && this.#mark(index) !== ",")
      index = OPENING.has(this.#mark(index)) ? this.#closing(index) + 1 : index + 1;
    return index;
  }

  #closing(open: number): number {
    return this.#closings[open] ?? this.tokens.length;
  }

  #maskLiteral(index: number, { name, isCautious }: Rule): void {
    const token = this.tokens[index];
    if (token === undefined) return;
    const text = this.source.slice(token.start, token.end);
    if (token.kind === "number") {
      if (name === "strict" && !isCautious) this.#spans.push({ start: token.start, end: token.end, quote: '"' });
      return;
    }
    if (token.kind !== "string" && token.kind !== "template") return;
    if (isAnnouncement(text) || (isCautious && name === "likely" && !isOpaque(text))) return;
    this.#spans.push({ start: token.start, end: token.end });
  }

  #mark(index: number): string {
    const token = this.tokens[index];
    return token?.kind === "mark" ? token.text : "";
  }

  #text(index: number): string {
    const token = this.tokens[index];
    return token === undefined ? "" : this.source.slice(token.start, token.end);
  }
}

function thoroughness({ name, isCautious, isCollection }: Rule): number {
  return 1 + (isCautious ? 0 : 4) + (name === "strict" ? 2 : 0) + (isCollection ? 1 : 0);
}
