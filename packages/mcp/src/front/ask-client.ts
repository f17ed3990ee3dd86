import { performance } from "node:perf_hooks";
import type { NestedCall, QuestionGate } from "@codemode/core";
import type { ElicitRequestFormParams, ElicitResult, McpServer, RequestId } from "@modelcontextprotocol/server";
import { MAX_TIMER_MS } from "../timer-range.js";
import type { FrontHost } from "./front-host.js";
import type { QuestionRoute } from "./question-route.js";

/** Questions of the servers behind, put to the client of one session. */
export interface ClientQuestions {
  readonly gate: QuestionGate;
  /** Along with the newest request of the client that is under way, or its next one. */
  readonly route: QuestionRoute;
  /** A request of the client is under way: until it is answered, questions go along with it. */
  during<T>(requestId: RequestId, work: () => Promise<T>): Promise<T>;
  /** Nothing reaches the client along with this request any more: it may be under way all the same. */
  unheard(requestId: RequestId): void;
}

export interface ClientQuestionsOptions {
  readonly host: Pick<FrontHost, "emit">;
  /** Of the session. */
  readonly number: number;
  /** The client's protocol end, once it is there. */
  readonly server: () => McpServer;
  /** The way that questions of a nested call go; undefined for `route`. */
  readonly routeOf: (call: NestedCall) => QuestionRoute | undefined;
}

/** For a host that has no gate of its own. Whatever the client does but answer or decline, nobody has decided. */
export function createClientQuestions({ host, number, server, routeOf }: ClientQuestionsOptions): ClientQuestions {
  const requests = createRequestsUnderWay();

  const route: QuestionRoute = {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- right where clients shake hands; others are asked nothing
    takesForms: () => server().server.getClientCapabilities()?.elicitation?.form !== undefined,
    async ask(form, signal) {
      const settled = new AbortController();
      const until = AbortSignal.any([signal, settled.signal]);
      // Not its method for questions: that checks the answer by the server's own schema, without bounds.
      const request = { method: "elicitation/create", params: form } as const;
      const put = async (): Promise<ElicitResult> => {
        const { id: relatedRequestId, unheard } = await requests.newest(until);
        const answer = server().server.request(request, { relatedRequestId, signal: until, timeout: MAX_TIMER_MS });
        // Whether the client got it before its stream broke cannot be known: it may answer the first, or is asked again.
        return Promise.race([answer, whenAborted(unheard, until).then(put)]);
      };
      try {
        return await put();
      } finally {
        settled.abort();
      }
    },
  };

  return {
    route,
    during: requests.during,
    unheard: requests.unheard,
    async gate(call, { signal, question: { message, requestedSchema } }) {
      const { takesForms, ask } = routeOf(call) ?? route;
      if (!takesForms()) throw unanswered();
      const { callableName } = call;
      const form = { mode: "form", message: `${callableName} asks: ${message}`, requestedSchema };
      const startedAt = performance.now();
      // A client that has gone, refuses or speaks a protocol without questions has decided nothing.
      const { action, content = {} } = await ask(form as ElicitRequestFormParams, signal).catch((): ElicitResult => ({
        action: "cancel",
      }));
      const durationMs = performance.now() - startedAt;
      host.emit({ type: "question", session: number, name: callableName, answer: action, durationMs });
      if (action === "cancel") throw unanswered();
      return action === "accept" ? { answer: content } : { deny: "the client declined" };
    },
  };
}

function unanswered(): DOMException {
  return new DOMException("nobody answered", "AbortError");
}

interface RequestsUnderWay {
  during: ClientQuestions["during"];
  unheard: ClientQuestions["unheard"];
  /** The request that was begun last, when there is one: between exec and wait there is none. Rejects with the signal. */
  newest(signal: AbortSignal): Promise<RequestUnderWay>;
}

interface RequestUnderWay {
  readonly id: RequestId;
  /** Aborts when nothing reaches the client along with it any more. */
  readonly unheard: AbortSignal;
}

/** Settles only then, and listens until the other one aborts. */
function whenAborted(signal: AbortSignal, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true, signal: until });
  });
}

function createRequestsUnderWay(): RequestsUnderWay {
  const underWay = new Map<RequestId, AbortController>();
  const waiters = new Set<(request: RequestUnderWay) => void>();
  return {
    async during(id, work) {
      const ending = new AbortController();
      underWay.set(id, ending);
      for (const wake of waiters) wake({ id, unheard: ending.signal });
      waiters.clear();
      try {
        return await work();
      } finally {
        underWay.delete(id);
      }
    },
    unheard(id) {
      underWay.get(id)?.abort();
      underWay.delete(id);
    },
    newest(signal) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      const [newest] = [...underWay].reverse();
      if (newest !== undefined) return Promise.resolve({ id: newest[0], unheard: newest[1].signal });
      return new Promise((resolve, reject) => {
        const giveUp = (): void => {
          waiters.delete(wake);
          reject(signal.reason as Error);
        };
        const wake = (request: RequestUnderWay): void => {
          signal.removeEventListener("abort", giveUp);
          resolve(request);
        };
        waiters.add(wake);
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
  };
}
