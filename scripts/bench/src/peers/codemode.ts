import { createCodeMode, type CodeModeResult, type JsonValue, type ToolDescriptor } from "@codemode/core";
import { echo, type Peer } from "./peer.js";

/** Codemode end to end, through core, on one worker. */
export const codemode: Peer = {
  name: "codemode",
  async open() {
    const host = createCodeMode({ workers: { min: 1, max: 1 }, config: { maxPendingToolCalls: 128 } });
    const run = host.openRun({ scope: { agentRunId: "bench" }, tools: [echoTool] });
    await host.prewarm();
    return {
      run: async (code) => valueOf(await run.exec({ code })),
      close: () => host.close(),
    };
  },
};

export const echoTool: ToolDescriptor = {
  name: "echo",
  description: "Gives its value back.",
  parameters: { type: "object", properties: { value: {} } },
  execute: (input) => ({ details: echo(input) as JsonValue }),
};

/** The value of a completed cell. @throws {Error} with the failure of any other. */
export function valueOf(result: CodeModeResult): unknown {
  if (result.status === "completed") return result.value;
  throw new Error(result.status === "failed" ? `${result.code}: ${result.error}` : `the cell is ${result.status}`);
}
