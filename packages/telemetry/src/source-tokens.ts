/** `template`: one stretch of a template between its backticks and substitutions. */
export type TokenKind = "name" | "string" | "template" | "number" | "mark" | "comment" | "regex";

/** One token; `start` and `end` leave out the quotes of strings and templates. */
export interface SourceToken {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** The text of a name or a mark; empty for all else. */
  readonly text: string;
  /** Whether a line ends between the token before and this one. */
  readonly isOnNewLine: boolean;
}

const MARKS =
  /(?:>>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|<<|\*\*|[\s\S])/uy;
const NAME = /[#@]?[\p{ID_Start}$_\\](?:[\p{ID_Continue}$\\]|\u200c|\u200d)*/uy;
const NUMBER = /\.?\d(?:[eE][+-]|[\w.])*/y;
const BLANK = /\s+/y;
const LINE_END = /[\n\r\u2028\u2029]/;
/** A longer regular expression counts as division, so that reading stays linear. */
const MAX_REGEX_CHARS = 500;
const LINE_ENDS = /[\n\r\u2028\u2029]|$/g;

/** After these a slash begins a regular expression, although they look like names. */
const BEFORE_REGEX = new Set(
  "return typeof instanceof in of new delete void throw case do else yield await default".split(" "),
);

/**
 * JavaScript or TypeScript as tokens, comments included. Total and linear: whatever is no program gives tokens too, a
 * string ends with its line, and where a slash may be both it is taken for a division or a regular expression by the token
 * before it. So it finds literals; it does not decide what a program means.
 */
export function readTokens(source: string): SourceToken[] {
  const reader = new TokenReader(source);
  while (reader.readNext());
  return reader.tokens;
}

class TokenReader {
  readonly tokens: SourceToken[] = [];
  #at = 0;
  #isOnNewLine = false;
  /** The last token that is no comment. */
  #last: SourceToken | undefined;
  /** Braces open now: true for those of a substitution. */
  readonly #braces: boolean[] = [];

  constructor(readonly source: string) {}

  readNext(): boolean {
    this.#skipBlank();
    if (this.#at >= this.source.length) return false;
    const character = this.source[this.#at] as string;
    const next = this.source[this.#at + 1] ?? "";
    if (character === '"' || character === "'") this.#readString(character);
    else if (character === "`") this.#readTemplate();
    else if (character === "/" && next === "/") this.#readLineComment();
    else if (character === "/" && next === "*") this.#readBlockComment();
    else if (character === "/" && this.#isRegexAllowed()) this.#readRegex();
    else if (/\d/.test(character) || (character === "." && /\d/.test(next))) this.#take("number", NUMBER);
    else if (this.#take("name", NAME) === undefined) this.#readMark();
    return true;
  }

  #skipBlank(): void {
    BLANK.lastIndex = this.#at;
    const blank = BLANK.exec(this.source)?.[0];
    if (blank === undefined) return;
    this.#at += blank.length;
    this.#isOnNewLine ||= LINE_END.test(blank);
  }

  #add(kind: TokenKind, start: number, end: number): void {
    const text = kind === "name" || kind === "mark" ? this.source.slice(start, end) : "";
    const token = { kind, start, end, text, isOnNewLine: this.#isOnNewLine };
    this.tokens.push(token);
    if (kind === "comment") return;
    this.#last = token;
    this.#isOnNewLine = false;
  }

  #take(kind: TokenKind, pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.source)?.[0];
    if (text === undefined) return undefined;
    this.#add(kind, this.#at, this.#at + text.length);
    this.#at += text.length;
    return text;
  }

  #readMark(): void {
    const mark = this.#take("mark", MARKS);
    if (mark === "{") this.#braces.push(false);
    if (mark === "}" && this.#braces.pop() === true) this.#readTemplateChunk();
  }

  #readString(quote: string): void {
    const start = this.#at + 1;
    let end = start;
    for (; end < this.source.length; end++) {
      const character = this.source[end] as string;
      if (character === quote || character === "\n" || character === "\r") break;
      if (character === "\\") end++;
    }
    end = Math.min(end, this.source.length);
    this.#add("string", start, end);
    this.#at = this.source[end] === quote ? end + 1 : end;
  }

  #readTemplate(): void {
    this.#at++;
    this.#readTemplateChunk();
  }

  /** From here to the template's end or its next substitution. */
  #readTemplateChunk(): void {
    const start = this.#at;
    let end = start;
    for (; end < this.source.length; end++) {
      const character = this.source[end];
      if (character === "`" || (character === "$" && this.source[end + 1] === "{")) break;
      if (character === "\\") end++;
    }
    end = Math.min(end, this.source.length);
    this.#add("template", start, end);
    if (this.source[end] !== "$") {
      this.#at = Math.min(end + 1, this.source.length);
      return;
    }
    this.#braces.push(true);
    this.#at = end;
    this.#add("mark", end, end + 2);
    this.#at = end + 2;
  }

  #readLineComment(): void {
    LINE_ENDS.lastIndex = this.#at;
    const end = LINE_ENDS.exec(this.source)?.index ?? this.source.length;
    this.#add("comment", this.#at, end);
    this.#at = end;
  }

  #readBlockComment(): void {
    const found = this.source.indexOf("*/", this.#at + 2);
    const end = found < 0 ? this.source.length : found + 2;
    this.#isOnNewLine ||= LINE_END.test(this.source.slice(this.#at, end));
    this.#add("comment", this.#at, end);
    this.#at = end;
  }

  #isRegexAllowed(): boolean {
    const last = this.#last;
    if (last === undefined) return true;
    if (last.kind === "name") return BEFORE_REGEX.has(last.text);
    return last.kind === "mark" && last.text !== ")" && last.text !== "]" && last.text !== "}";
  }

  #readRegex(): void {
    const start = this.#at;
    let isInClass = false;
    let end = start + 1;
    for (; end < this.source.length && end - start < MAX_REGEX_CHARS; end++) {
      const character = this.source[end] as string;
      if (character === "\n" || (character === "/" && !isInClass)) break;
      if (character === "\\") end++;
      else if (character === "[") isInClass = true;
      else if (character === "]") isInClass = false;
    }
    end = Math.min(end, this.source.length);
    // Without its end it was a division.
    if (this.source[end] !== "/") return this.#readMark();
    this.#add("regex", start, end + 1);
    this.#at = end + 1;
  }
}
