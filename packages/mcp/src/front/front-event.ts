/**
 * What a front tells its host: who called what, when and with which outcome. Holds names and times only: no source, no
 * input, no result, no token and no id that opens a session.
 */
export type McpFrontEvent =
  /** `session` numbers the sessions of a front from 1. */
  | { readonly type: "session-open"; readonly session: number }
  | { readonly type: "session-close"; readonly session: number; readonly reason: string }
  /** An exec or wait came to its result; `status` is that of the result. */
  | {
      readonly type: "tool-call";
      readonly session: number;
      readonly tool: string;
      readonly status: "completed" | "waiting" | "failed";
      readonly code?: string;
      readonly durationMs: number;
    }
  /** A call of a cell, as the guest names it. */
  | {
      readonly type: "nested-call";
      readonly session: number;
      readonly name: string;
      readonly status: "completed" | "failed";
      readonly durationMs: number;
    }
  /** What a call asked was put to the client, whose answer it got. */
  | {
      readonly type: "question";
      readonly session: number;
      readonly name: string;
      readonly answer: "accept" | "decline" | "cancel";
      readonly durationMs: number;
    }
  /** A client was turned away, or a message could not be read. */
  | { readonly type: "refused"; readonly reason: string };
