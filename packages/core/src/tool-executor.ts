import { toJsonValue } from "@codemode/bridge";
import type {
  ApprovalGate,
  NestedCall,
  QuestionGate,
  ToolCallContext,
  ToolDescriptor,
  ToolExecutor,
  ToolHooks,
} from "@codemode/protocol";
import { createRedactor } from "@codemode/telemetry";
import { askApproval } from "./ask-approval.js";
import { withQuestions } from "./call-questions.js";
import { readHookAnswer } from "./hook-answer.js";
import { NestedCallError } from "./nested-call-error.js";
import { createFaultReporter } from "./report-fault.js";
import { assertOutcome, createToolContract } from "./tool-contract.js";

export interface ToolExecutorOptions {
  readonly hooks?: ToolHooks;
  readonly approve?: ApprovalGate;
  /** Asked what tools ask while they run. Default: `approve`. */
  readonly askQuestion?: QuestionGate;
  /** Told of a gate that fails at a question, or whose answer does not fit. Must not throw. Default: a process warning. */
  readonly onFault?: (fault: unknown) => void;
}

/**
 * The default path of a nested call: validate the input, `beforeToolCall` (and validate again what it rewrote),
 * approval, `execute`, `afterToolCall`, output contract. The output schema is compiled first, so that a tool whose
 * contract cannot be checked never runs.
 */
export function createToolExecutor(options: ToolExecutorOptions): ToolExecutor {
  const { hooks, approve, askQuestion: gate = approve } = options;
  const contract = createToolContract();
  const reportFault = options.onFault ?? createFaultReporter(createRedactor());

  async function admit(call: NestedCall, tool: ToolDescriptor, { signal }: ToolCallContext): Promise<NestedCall> {
    const answer = readHookAnswer(await hooks?.beforeToolCall?.(call));
    signal.throwIfAborted();
    if (answer.type === "allow") return call;
    if (answer.type === "block") throw new NestedCallError("tool_blocked", answer.reason);
    const rewritten = { ...call, input: toJsonValue(answer.input) };
    contract.checkInput(rewritten, tool);
    return rewritten;
  }

  return async (call, tool, context) => {
    const checkOutput = contract.outputCheck(call, tool);
    contract.checkInput(call, tool);
    // Nothing is awaited that need not be, and no signal is asked for: most calls have neither hooks nor approval.
    const admitted = hooks?.beforeToolCall === undefined ? call : await admit(call, tool, context);
    if (approve !== undefined) await askApproval(approve, admitted, context);
    const seen = admitted === call ? context : { ...context, call: admitted };
    const execute = (given: ToolCallContext): ReturnType<typeof tool.execute> => tool.execute(admitted.input, given);
    const outcome = assertOutcome(
      await (gate === undefined ? execute(seen) : withQuestions({ gate, reportFault }, seen, execute)),
      call,
    );
    const final = assertOutcome((await hooks?.afterToolCall?.(admitted, outcome)) ?? outcome, call);
    if (final.terminal === true || tool.outputSchema === undefined) return final;
    // What is checked is what the guest gets: the plain form, taken once.
    const plain = { ...final, details: toJsonValue(final.details) };
    checkOutput(plain);
    return plain;
  };
}
