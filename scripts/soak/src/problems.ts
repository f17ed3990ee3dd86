/** What went wrong, each text once with how often. Bounded: a soak that goes wrong everywhere must still report. */
export interface ProblemList {
  add(problem: string): void;
  /** The first ones, and how many more there are. */
  list(): readonly string[];
  count(): number;
}

const MAX_KEPT = 200;

export function createProblemList(): ProblemList {
  const kept: string[] = [];
  let count = 0;
  return {
    add(problem) {
      count += 1;
      if (kept.length < MAX_KEPT) kept.push(problem);
    },
    list: () => (count > kept.length ? [...kept, `… and ${count - kept.length} more`] : kept),
    count: () => count,
  };
}
