import {
  CodeModeError,
  describeValue,
  type McpOperation,
  type McpServerDescriptor,
  type McpToolDescriptor,
  type ToolCallContext,
} from "@codemode/protocol";
import { decodeCallResult } from "./decode-call-result.js";
import { isObject } from "./is-object.js";
import { decodeProgress } from "./server-notes.js";
import type { ServerQuestions } from "./server-questions.js";
import type { ServerSession } from "./server-session.js";
import { labelOf } from "./session-failures.js";

export interface ServerDescription {
  /** As configured. */
  readonly name: string;
  readonly tools: readonly McpToolDescriptor[];
  /** For resources and prompts, in ms. */
  readonly requestTimeoutMs: number;
  /** Told of the requests under way. Absent when the server may ask nothing. */
  readonly questions?: ServerQuestions | undefined;
}

/** The server as a source of tools, resources and prompts. It borrows the session. */
export function describeServer(session: ServerSession, description: ServerDescription): McpServerDescriptor {
  const { name, tools, requestTimeoutMs, questions } = description;

  async function underWay<T>(context: ToolCallContext | undefined, request: () => Promise<T>): Promise<T> {
    const end = questions?.begin(context);
    try {
      return await request();
    } finally {
      end?.();
    }
  }

  const ask =
    (method: string): McpOperation =>
    (params, context) => {
      const input = asParams(method, params);
      const control = {
        timeoutMs: requestTimeoutMs,
        ...(context === undefined ? {} : { signal: context.signal }),
      };
      return underWay(context, () => session.request(method, input, control));
    };
  const { resources, prompts } = session.capabilities();
  return {
    name,
    tools,
    // The signal alone ends a call: a parked cell goes on waiting for it past the budget it started with.
    async callTool(tool, args, context) {
      const onProgress = (value: unknown): void => {
        const progress = decodeProgress(value);
        if (progress !== undefined) context.onUpdate(progress);
      };
      const control = { signal: context.signal, onProgress };
      const answer = await underWay(context, () =>
        session.request("tools/call", { name: tool, arguments: args }, control),
      );
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
