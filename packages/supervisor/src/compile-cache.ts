import type { CellLanguage, CompileOutcome } from "@codemode/protocol";

/** Results of compiling, by content. Refusals too: the same text is refused again. */
export interface CompileCache {
  get(language: CellLanguage, source: string): CompileOutcome | undefined;
  set(language: CellLanguage, source: string, outcome: CompileOutcome): void;
}

export interface CompileCacheLimits {
  readonly maxEntries: number;
  /** Characters of sources and results together. A result larger than that is not kept. */
  readonly maxChars: number;
}

/** The least recently used entry goes first. */
export function createCompileCache(limits: CompileCacheLimits): CompileCache {
  const entries = new Map<string, { outcome: CompileOutcome; chars: number }>();
  let total = 0;
  const remove = (key: string) => {
    total -= entries.get(key)?.chars ?? 0;
    entries.delete(key);
  };
  return {
    get(language, source) {
      const key = contentKey(language, source);
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.outcome;
    },
    set(language, source, outcome) {
      const key = contentKey(language, source);
      const chars = key.length + outcomeChars(outcome);
      remove(key);
      if (chars > limits.maxChars) return;
      entries.set(key, { outcome, chars });
      total += chars;
      for (const oldest of entries.keys()) {
        if (entries.size <= limits.maxEntries && total <= limits.maxChars) return;
        remove(oldest);
      }
    },
  };
}

/** Identity of a compile: equal keys give equal results. */
export function contentKey(language: CellLanguage, source: string): string {
  return `${language}\n${source}`;
}

function outcomeChars(outcome: CompileOutcome): number {
  if (outcome.type === "refused") return outcome.message.length;
  const { submitted, code, sourceMap } = outcome.prepared;
  return submitted.length + code.length + (sourceMap?.length ?? 0);
}
