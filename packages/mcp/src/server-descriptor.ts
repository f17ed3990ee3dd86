import {
  CodeModeError,
  describeValue,
  type McpOperation,
  type McpRequestContext,
  type McpServerDescriptor,
  type McpToolDescriptor,
} from "@codemode/protocol";
import { decodeCallResult } from "./decode-call-result.js";
import { isObject } from "./is-object.js";
import { oneLine } from "./one-line.js";
import { createRequestPatience } from "./request-patience.js";
import { decodeProgress } from "./server-notes.js";
import type { ServerQuestions } from "./server-questions.js";
import type { RequestControl, ServerSession } from "./server-session.js";
import { labelOf, wasGivenUp, type Patience } from "./session-failures.js";
import { thinned } from "./thinned.js";

/** Longest name of a tool in a message, in characters. */
const MAX_NAME_CHARS = 120;
/** Least time between two words of a server's progress, in ms; of those between them the newest counts. */
const MIN_UPDATE_INTERVAL_MS = 50;

export interface ServerDescription {
  /** As configured. */
  readonly name: string;
  readonly tools: readonly McpToolDescriptor[];
  /** For resources and prompts, in ms. */
  readonly requestTimeoutMs: number;
  /** For a tool call without a word of progress, in ms; undefined when only its signal ends it. */
  readonly callTimeoutMs: number | undefined;
  /** Told of the requests under way. Undefined when the server may ask nothing. */
  readonly questions: ServerQuestions | undefined;
}

/** The server as a source of tools, resources and prompts. It borrows what is asked. */
export function describeServer(
  session: Pick<ServerSession, "request" | "capabilities">,
  description: ServerDescription,
): McpServerDescriptor {
  const { name, tools, requestTimeoutMs, callTimeoutMs, questions } = description;

  /** The server may ask for as long as the request is under way; its time stands still meanwhile. */
  async function send(method: string, params: Params, sending: Sending): Promise<unknown> {
    const { context, patience: limit, ...control } = sending;
    const patience = limit === undefined ? undefined : createRequestPatience(limit);
    const end = questions?.begin(context, patience);
    let isGivenUp = false;
    try {
      return await session.request(method, params, { ...control, ...(patience === undefined ? {} : { patience }) });
    } catch (error) {
      isGivenUp = context.signal?.aborted === true || wasGivenUp(error);
      throw error;
    } finally {
      end?.(isGivenUp);
    }
  }

  const ask =
    (method: string): McpOperation =>
    async (params, context = {}) => {
      const { signal } = context;
      return send(method, asParams(method, params), {
        context,
        ...(signal === undefined ? {} : { signal }),
        patience: { ms: requestTimeoutMs, option: "requestTimeoutMs" },
      });
    };
  const { resources, prompts } = session.capabilities();
  return {
    name,
    tools,
    // By default the signal alone ends a call: a parked cell goes on waiting past the budget it started with.
    async callTool(tool, args, context) {
      const updates = thinned(context.onUpdate.bind(context), MIN_UPDATE_INTERVAL_MS);
      const onProgress = (value: unknown): void => {
        const progress = decodeProgress(value);
        if (progress !== undefined) updates.push(progress);
      };
      const subject = `tool ${JSON.stringify(oneLine(tool, MAX_NAME_CHARS))}`;
      const sending: Sending = {
        context,
        signal: context.signal,
        onProgress,
        subject,
        ...(callTimeoutMs === undefined ? {} : { patience: { ms: callTimeoutMs, option: "callTimeoutMs" } }),
      };
      try {
        const answer = await send("tools/call", { name: tool, arguments: args }, sending);
        return decodeCallResult(labelOf(name), answer);
      } finally {
        updates.end();
      }
    },
    ...(isObject(resources) ? { resources: { list: ask("resources/list"), read: ask("resources/read") } } : {}),
    ...(isObject(prompts) ? { prompts: { list: ask("prompts/list"), get: ask("prompts/get") } } : {}),
  };
}

type Params = Record<string, unknown> | undefined;

interface Sending extends Omit<RequestControl, "patience"> {
  /** Whose request it is. */
  readonly context: McpRequestContext;
  readonly patience?: Patience;
}

function asParams(method: string, params: unknown): Params {
  if (params === undefined || isObject(params)) return params;
  const problem = `must be an object, not ${describeValue(params)}`;
  throw new CodeModeError("invalid_argument", `The input of ${method} ${problem}.`, { path: method, problem });
}
