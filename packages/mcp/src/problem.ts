/** What was wrong with a server or one of its tools. */
export interface McpServerProblem {
  /** As configured. */
  readonly server: string;
  /** The tool it concerns, when it concerns one. */
  readonly tool?: string;
  /** True when the server is not among the connection's servers. */
  readonly isServerLost: boolean;
  /** One line for a person: what is wrong and, where there is one, the next step. */
  readonly problem: string;
}
