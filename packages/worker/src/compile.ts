import type { CellLanguage, CompileOutcome, PreparedSource, WorkerTask } from "@codemode/protocol";
import { readSourceRefusal } from "./source-refusal.js";

export type CompileTask = Extract<WorkerTask, { type: "compile" }>;

/** Compiles one source. A refusal is an answer; every other error is thrown. */
export async function compile(
  task: CompileTask,
  prepareSource: (
    source: string,
    options: { language: CellLanguage; maxSourceBytes: number },
  ) => Promise<PreparedSource>,
): Promise<CompileOutcome> {
  const { language, source, maxSourceBytes } = task;
  try {
    return { type: "prepared", prepared: await prepareSource(source, { language, maxSourceBytes }) };
  } catch (error) {
    const refusal = readSourceRefusal(error);
    if (refusal === undefined) throw error;
    return { type: "refused", ...refusal };
  }
}
