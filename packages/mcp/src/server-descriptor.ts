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
import { decodeProgress } from "./server-notes.js";
import type { ServerQuestions } from "./server-questions.js";
import type { RequestControl, ServerSession } from "./server-session.js";
import { labelOf } from "./session-failures.js";

/** Longest name of a tool in a message, in characters. */
const MAX_NAME_CHARS = 120;

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
  const patience: Pick<RequestControl, "patience"> =
    callTimeoutMs === undefined ? {} : { patience: { ms: callTimeoutMs, option: "callTimeoutMs" } };

  /** The server may ask for as long as the request is under way. */
  async function underWay<T>(context: McpRequestContext, request: () => Promise<T>): Promise<T> {
    const end = questions?.begin(context);
    try {
      return await request();
    } finally {
      end?.();
    }
  }

  const ask =
    (method: string): McpOperation =>
    async (params, context = {}) => {
      const { signal } = context;
      const control: RequestControl = {
        ...(signal === undefined ? {} : { signal }),
        patience: { ms: requestTimeoutMs, option: "requestTimeoutMs" },
      };
      const input = asParams(method, params);
      return underWay(context, () => session.request(method, input, control));
    };
  const { resources, prompts } = session.capabilities();
  return {
    name,
    tools,
    // By default the signal alone ends a call: a parked cell goes on waiting past the budget it started with.
    async callTool(tool, args, context) {
      const onProgress = (value: unknown): void => {
        const progress = decodeProgress(value);
        if (progress !== undefined) context.onUpdate(progress);
      };
      const subject = `tool ${JSON.stringify(oneLine(tool, MAX_NAME_CHARS))}`;
      const control: RequestControl = { signal: context.signal, onProgress, subject, ...patience };
      const params = { name: tool, arguments: args };
      const answer = await underWay(context, () => session.request("tools/call", params, control));
      return decodeCallResult(labelOf(name), answer);
    },
    ...(isObject(resources) ? { resources: { list: ask("resources/list"), read: ask("resources/read") } } : {}),
    ...(isObject(prompts) ? { prompts: { list: ask("prompts/list"), get: ask("prompts/get") } } : {}),
  };
}

function asParams(method: string, params: unknown): Record<string, unknown> | undefined {
  if (params === undefined || isObject(params)) return params;
  const problem = `must be an object, not ${describeValue(params)}`;
  throw new CodeModeError("invalid_argument", `The input of ${method} ${problem}.`, { path: method, problem });
}
