/** A place in a text: 1-based line and column, columns in UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/**
 * Where `text` stops being JSON, for text that is not JSON. Engines report positions in different forms, and some
 * faults without any, so the place is found here.
 */
export function findJsonError(text: string): TextPosition {
  const scanner = new JsonScanner(text);
  scanner.scanValue(0);
  const before = text.slice(0, scanner.offset).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const MAX_DEPTH = 500;

/** Stops at the first offset that cannot go on as JSON, or behind the value. */
class JsonScanner {
  offset = 0;

  constructor(private readonly text: string) {}

  scanValue(depth: number): boolean {
    this.take(SPACE);
    const isValue = this.scanContainer(depth) ?? (this.take(STRING) || this.take(WORD));
    if (isValue) this.take(SPACE);
    return isValue;
  }

  /** Undefined where no container starts. */
  private scanContainer(depth: number): boolean | undefined {
    const opener = this.text[this.offset];
    if ((opener !== "{" && opener !== "[") || depth >= MAX_DEPTH) return undefined;
    const closer = opener === "{" ? "}" : "]";
    this.offset += 1;
    this.take(SPACE);
    if (this.takeCharacter(closer)) return true;
    do {
      if (opener === "{" && !this.scanKey()) return false;
      if (!this.scanValue(depth + 1)) return false;
    } while (this.takeCharacter(","));
    return this.takeCharacter(closer);
  }

  private scanKey(): boolean {
    this.take(SPACE);
    if (!this.take(STRING)) return false;
    this.take(SPACE);
    return this.takeCharacter(":");
  }

  private takeCharacter(character: string): boolean {
    if (this.text[this.offset] !== character) return false;
    this.offset += 1;
    return true;
  }

  private take(pattern: RegExp): boolean {
    pattern.lastIndex = this.offset;
    const match = pattern.exec(this.text);
    if (match === null) return false;
    this.offset += match[0].length;
    return true;
  }
}
