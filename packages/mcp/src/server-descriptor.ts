import { CodeModeError, describeValue } from "@codemode/protocol";
import type { McpRequestControl, McpServerDescriptor, McpToolDescriptor } from "@codemode/protocol";
import { decodeCallResult } from "./decode-call-result.js";
import { isObject } from "./is-object.js";
import { oneLine } from "./one-line.js";
import { decodeProgress } from "./server-notes.js";
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
}

/** The server as a source of tools, resources and prompts. It borrows what is asked. */
export function describeServer(
  session: Pick<ServerSession, "request" | "capabilities">,
  description: ServerDescription,
): McpServerDescriptor {
  const { name, tools, requestTimeoutMs, callTimeoutMs } = description;
  const patience: Pick<RequestControl, "patience"> =
    callTimeoutMs === undefined ? {} : { patience: { ms: callTimeoutMs, option: "callTimeoutMs" } };
  const ask =
    (method: string) =>
    (params?: unknown, { signal }: McpRequestControl = {}) =>
      session.request(method, asParams(method, params), {
        ...(signal === undefined ? {} : { signal }),
        patience: { ms: requestTimeoutMs, option: "requestTimeoutMs" },
      });
  const { resources, prompts } = session.capabilities();
  return {
    name,
    tools,
    // By default the signal alone ends a call: a parked cell goes on waiting past the budget it started with.
    async callTool(tool, args, { signal, onUpdate }) {
      const onProgress = (value: unknown): void => {
        const progress = decodeProgress(value);
        if (progress !== undefined) onUpdate(progress);
      };
      const subject = `tool ${JSON.stringify(oneLine(tool, MAX_NAME_CHARS))}`;
      const control: RequestControl = { signal, onProgress, subject, ...patience };
      const answer = await session.request("tools/call", { name: tool, arguments: args }, control);
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
