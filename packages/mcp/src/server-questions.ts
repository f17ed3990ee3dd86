// Invariant: a question is put to somebody only when every request it can belong to is of one run.
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import {
  CodeModeError,
  type ElicitationAnswer,
  type ElicitationQuestion,
  type McpRequestContext,
} from "@codemode/protocol";
import type { Pausable } from "./request-patience.js";

const MAX_OPEN_QUESTIONS = 4;
/** How long a server may go on with a request that was given up, and ask for it, in ms. */
const GIVEN_UP_LINGER_MS = 60_000;

const CANCEL: ElicitationAnswer = { action: "cancel" };

/** What one server asks while requests to it are under way. A question names no request; the protocol has no place for it. */
export interface ServerQuestions {
  /**
   * A request begins; without a call it is of an unknown run. Its time stands still while a question of its run is open.
   * Returns the function that says it is over, and whether it was given up: the server may go on with it then.
   */
  begin(context: McpRequestContext, time?: Pausable): (isGivenUp?: boolean) => void;
  /**
   * Puts a question to the run whose requests are under way: to the newest request that can ask somebody. The signal takes
   * it back.
   *
   * @throws {ProtocolError} invalid params, for a question that cannot be asked of anybody.
   */
  answer(question: ElicitationQuestion, signal: AbortSignal): Promise<ElicitationAnswer>;
}

export interface ServerQuestionsOptions {
  /** Monotonic, in ms. */
  readonly now: () => number;
  /** Told why a question was not asked. */
  readonly onRefused: (reason: string) => void;
}

export function createServerQuestions({ now, onRefused }: ServerQuestionsOptions): ServerQuestions {
  const underWay = new Set<{ readonly context: McpRequestContext; readonly time: Pausable | undefined }>();
  /** How many, by the run they were put to. */
  const openOf = new Map<string, number>();
  /** Until when a question may still belong to a run, by the run. */
  const lingering = new Map<string, number>();
  let open = 0;

  function linger(run: string): void {
    // Behind the others, so that those whose time is over come first.
    lingering.delete(run);
    lingering.set(run, now() + GIVEN_UP_LINGER_MS);
    dropOver();
  }

  function dropOver(): void {
    for (const [run, until] of lingering) {
      if (until > now()) return;
      lingering.delete(run);
    }
  }

  function runs(): ReadonlySet<string> {
    dropOver();
    return new Set([...[...underWay].map(({ context }) => runOf(context)), ...lingering.keys()]);
  }

  function findAsker(): McpRequestContext | string {
    if (open >= MAX_OPEN_QUESTIONS) return `${MAX_OPEN_QUESTIONS} of its questions are open`;
    if (underWay.size === 0) return "no request to it is under way";
    if (runs().size > 1) return "it may belong to requests of several runs, and a question does not say to which";
    const newest = [...underWay].reverse().find(({ context }) => context.elicit !== undefined);
    return newest?.context ?? "nobody can be asked: the run has no approval gate";
  }

  const timesOf = (run: string): (Pausable | undefined)[] =>
    [...underWay].filter(({ context }) => runOf(context) === run).map(({ time }) => time);

  function opened(run: string): void {
    open += 1;
    openOf.set(run, (openOf.get(run) ?? 0) + 1);
    for (const time of timesOf(run)) time?.pause();
  }

  function closed(run: string): void {
    open -= 1;
    const left = (openOf.get(run) ?? 1) - 1;
    if (left > 0) return void openOf.set(run, left);
    openOf.delete(run);
    for (const time of timesOf(run)) time?.resume();
  }

  function refuse(reason: string): ElicitationAnswer {
    onRefused(`its question was cancelled: ${reason}`);
    return CANCEL;
  }

  return {
    begin(context, time) {
      const request = { context, time };
      if (openOf.size > 0 && openOf.has(runOf(context))) time?.pause();
      underWay.add(request);
      return (isGivenUp = false) => {
        underWay.delete(request);
        if (isGivenUp) linger(runOf(context));
      };
    },
    async answer(question, signal) {
      const asker = findAsker();
      if (typeof asker === "string") return refuse(asker);
      const run = runOf(asker);
      opened(run);
      try {
        return (await asker.elicit?.(question, { signal })) ?? CANCEL;
      } catch (error) {
        if (!CodeModeError.isInstance(error)) return refuse("it could not be asked");
        onRefused(`its question was refused: ${error.message}`);
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
      } finally {
        closed(run);
      }
    },
  };
}

/** Requests of one run have one text; those of unknown runs another. */
function runOf(context: McpRequestContext): string {
  if (context.call === undefined) return "";
  const { agentRunId, sessionId } = context.call.scope;
  return JSON.stringify([agentRunId, sessionId]);
}
