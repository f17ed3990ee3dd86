import type { NestedCall } from "@codemode/core";
import { describeProgress } from "./progress-text.js";
import type { QuestionRoute } from "./question-route.js";

/** Told whenever the nested calls of a cell change; text for people. */
export type ActivityListener = (message: string) => void;

/** One exec or wait under way. Owned by the tool call, which ends it. */
export interface ActiveCall {
  /** A nested call's partial result: what its server says of its progress is shown beside its name. Untrusted. */
  update(update: { readonly call: Pick<NestedCall, "id">; readonly partial: unknown }): void;
  /** `runId` of a result that says waiting: the next wait on it goes on with the same counts. */
  end(runId?: string): void;
}

/** Which nested calls belong to which exec or wait. One per session. */
export interface CellActivity {
  begin(
    callId: string,
    options: { readonly runId?: string; readonly listener?: ActivityListener; readonly route?: QuestionRoute },
  ): ActiveCall;
  /** How what a nested call under way asks reaches the client; undefined when its cell has no way of its own. */
  routeOf(call: Pick<NestedCall, "id">): QuestionRoute | undefined;
  /** Returns the function that says that the nested call settled. */
  nested(call: NestedCall): () => void;
}

/** Cells between two calls that are remembered; beyond, the oldest starts to count anew. */
const MAX_PARKED = 64;
const MAX_NAMES = 3;

interface Cell {
  route: QuestionRoute | undefined;
  listener: ActivityListener | undefined;
  done: number;
  /** By id: the name, and what its server says of its progress. */
  readonly underWay: Map<string, { readonly name: string; progress?: string }>;
}

export function createCellActivity(): CellActivity {
  const active = new Map<string, Cell>();
  const parked = new Map<string, Cell>();
  /** By nested call under way. */
  const cellOf = new Map<string, Cell>();

  function take(runId: string | undefined): Cell {
    const known = runId === undefined ? undefined : parked.get(runId);
    if (runId !== undefined) parked.delete(runId);
    return known ?? { route: undefined, listener: undefined, done: 0, underWay: new Map() };
  }

  return {
    begin(callId, { runId, listener, route }) {
      const cell = take(runId);
      cell.listener = listener;
      cell.route = route;
      active.set(callId, cell);
      listener?.(describe(cell));
      return {
        update({ call, partial }) {
          const told = cell.underWay.get(call.id);
          const progress = describeProgress(partial);
          if (told === undefined || progress === undefined) return;
          told.progress = progress;
          cell.listener?.(describe(cell));
        },
        end(nextRunId) {
          cell.listener = undefined;
          active.delete(callId);
          if (nextRunId === undefined) return;
          parked.set(nextRunId, cell);
          const oldest = parked.size > MAX_PARKED ? parked.keys().next().value : undefined;
          if (oldest !== undefined) parked.delete(oldest);
        },
      };
    },
    routeOf: ({ id }) => cellOf.get(id)?.route,
    nested({ id, parentId = "", callableName }) {
      const cell = active.get(parentId);
      if (cell === undefined) return () => {};
      cell.underWay.set(id, { name: callableName });
      cellOf.set(id, cell);
      cell.listener?.(describe(cell));
      return () => {
        if (cell.underWay.delete(id)) cell.done += 1;
        cellOf.delete(id);
        cell.listener?.(describe(cell));
      };
    },
  };
}

function describe({ done, underWay }: Cell): string {
  const finished = done === 1 ? "1 call done" : `${done} calls done`;
  if (underWay.size === 0) return done === 0 ? "running" : finished;
  const names = [...underWay.values()]
    .slice(0, MAX_NAMES)
    .map(({ name, progress }) => (progress === undefined ? name : `${name} (${progress})`))
    .join(", ");
  const more = underWay.size > MAX_NAMES ? ", …" : "";
  return `${finished}, ${underWay.size} under way: ${names}${more}`;
}
