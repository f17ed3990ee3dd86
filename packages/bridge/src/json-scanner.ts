/** Goes through compact JSON text from left to right without parsing what it passes. Throws SyntaxError where it is none. */
export interface JsonScanner {
  /** First character of the value that comes next. */
  peek(): string | undefined;
  /** Goes past the next value, or key and colon, and gives its text. Never deep in its own stack. */
  take(): string;
  /** Goes past an array or object; `read` is called at each member, and goes past it. */
  eachMember(read: () => void): void;
}

const WORD = /[-+.\w]+/y;

export function createJsonScanner(text: string): JsonScanner {
  let at = 0;

  function takeString(): void {
    for (let quote = text.indexOf('"', at + 1); quote > 0; quote = text.indexOf('"', quote + 1)) {
      let escapes = 0;
      while (text[quote - 1 - escapes] === "\\") escapes += 1;
      if (escapes % 2 === 1) continue;
      at = quote + 1;
      return;
    }
    throw ended();
  }

  /** A number, `true`, `false` or `null`. */
  function takeWord(): void {
    WORD.lastIndex = at;
    if (!WORD.test(text)) throw new SyntaxError("There is no value.");
    at = WORD.lastIndex;
  }

  function takeContainer(): void {
    let depth = 0;
    do {
      const character = text[at];
      if (character === undefined) throw ended();
      if (character === '"') {
        takeString();
        continue;
      }
      if (character === "{" || character === "[") depth += 1;
      if (character === "}" || character === "]") depth -= 1;
      at += 1;
    } while (depth > 0);
  }

  return {
    peek: () => text[at],
    take() {
      const start = at;
      const first = text[at];
      if (first === '"') takeString();
      else if (first === "{" || first === "[") takeContainer();
      else takeWord();
      const taken = text.slice(start, at);
      if (text[at] === ":") at += 1;
      return taken;
    },
    eachMember(read) {
      const end = text[at] === "{" ? "}" : "]";
      at += 1;
      while (text[at] !== end) {
        if (at >= text.length) throw ended();
        read();
        if (text[at] === ",") at += 1;
      }
      at += 1;
    },
  };
}

function ended(): SyntaxError {
  return new SyntaxError("The text ends inside a value.");
}
