import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/server";

/** How a question reaches the client of a session. */
export interface QuestionRoute {
  /** Whether the client takes forms. Else it is asked nothing. */
  takesForms(): boolean;
  /** The signal takes the question back. The answer is untrusted. @throws when there is no answer */
  ask(form: ElicitRequestFormParams, signal: AbortSignal): Promise<ElicitResult>;
}
