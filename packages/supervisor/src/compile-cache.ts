import type { CompileOutcome } from "@codemode/protocol";

/** Results of compiling, by a key that holds the whole content. Refusals too: the same text is refused again. */
export interface CompileCache {
  get(key: string): CompileOutcome | undefined;
  set(key: string, outcome: CompileOutcome): void;
}

export interface CompileCacheLimits {
  readonly maxEntries: number;
  /** Characters of keys and results together. A result larger than that is not kept. */
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
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.outcome;
    },
    set(key, outcome) {
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

function outcomeChars(outcome: CompileOutcome): number {
  if (outcome.type === "refused") return outcome.message.length;
  const { submitted, code, sourceMap } = outcome.prepared;
  return submitted.length + code.length + (sourceMap?.length ?? 0);
}
