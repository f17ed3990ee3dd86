/** One finding of a check. */
export interface Problem {
  /** Path relative to the repository. */
  readonly file: string;
  /** 1-based; absent when the finding is about the whole file. */
  readonly line?: number;
  /** What is there, then the rule it breaks. */
  readonly message: string;
}

/** `file:line: message`. */
export function renderProblem(problem: Problem): string {
  const place = problem.line === undefined ? problem.file : `${problem.file}:${problem.line}`;
  return `${place}: ${problem.message}`;
}

/** Prints the findings of a check and makes the process exit with 1 when there are any. */
export function reportProblems(check: string, problems: readonly Problem[]): void {
  for (const problem of problems) console.error(renderProblem(problem));
  if (problems.length > 0) process.exitCode = 1;
  console.log(problems.length === 0 ? `${check}: in order` : `${check}: ${problems.length} to mend`);
}
