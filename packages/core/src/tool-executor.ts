import { compileSchema } from "@codemode/json-schema";
import { describeValue, type ApprovalGate, type JsonSchema, type NestedCall, type ToolDescriptor, type ToolExecutor, type ToolHooks, type ToolOutcome } from "@codemode/protocol";

const MAX_PROBLEMS = 5;

/** A nested call that was refused or broke its contract. Catchable in the guest, by `code`. */
export class NestedCallError extends Error {
  override readonly name = "ToolError";
  constructor(
    readonly code: "tool_input_invalid" | "tool_blocked" | "tool_denied" | "tool_output_invalid",
    message: string,
  ) {
    super(message);
  }
}

export interface ToolExecutorOptions {
  readonly hooks?: ToolHooks;
  readonly approve?: ApprovalGate;
}

type CompiledSchema = ReturnType<typeof compileSchema>;
type Validator = Extract<CompiledSchema, { ok: true }>["validator"];

/**
 * The default path of a nested call: validate the input, `beforeToolCall` (and validate again what it rewrote),
 * approval, `execute`, `afterToolCall`, output contract. The output schema is compiled first, so that a tool whose
 * contract cannot be checked never runs. MCP servers validate their own input.
 */
export function createToolExecutor({ hooks, approve }: ToolExecutorOptions): ToolExecutor {
  const compiled = new WeakMap<object, CompiledSchema>();

  function validatorOf(schema: JsonSchema, what: string): Validator {
    const known = typeof schema === "object" ? compiled.get(schema) : undefined;
    const result = known ?? compileSchema(schema);
    if (typeof schema === "object") compiled.set(schema, result);
    if (!result.ok) throw new NestedCallError("tool_input_invalid", `${what} cannot be used: ${result.problem}`);
    return result.validator;
  }

  function checkInput(call: NestedCall, tool: ToolDescriptor): void {
    if (call.source === "mcp") return;
    const verdict = validatorOf(tool.parameters, `The parameters schema of ${call.callableName}`)(call.input);
    if (verdict.ok) return;
    throw new NestedCallError("tool_input_invalid", `Invalid input for ${call.callableName}: ${listed(verdict.problems)}`);
  }

  async function admit(call: NestedCall, tool: ToolDescriptor): Promise<NestedCall> {
    const decision = await hooks?.beforeToolCall?.(call);
    if (decision === undefined || decision === null) return call;
    if ("block" in decision) throw new NestedCallError("tool_blocked", decision.block);
    const rewritten = { ...call, input: decision.input };
    checkInput(rewritten, tool);
    return rewritten;
  }

  return async (call, tool, context) => {
    const checkOutput =
      tool.outputSchema === undefined
        ? undefined
        : validatorOf(tool.outputSchema, `The output schema of ${call.callableName}`);
    checkInput(call, tool);
    const admitted = await admit(call, tool);
    context.signal.throwIfAborted();
    if (approve !== undefined) {
      const verdict = await context.suspendBudget(approve(admitted, { signal: context.signal }));
      if (verdict !== "allow") throw new NestedCallError("tool_denied", verdict.deny);
      context.signal.throwIfAborted();
    }
    const outcome = assertOutcome(await tool.execute(admitted.input, { ...context, call: admitted }), call);
    const final = assertOutcome((await hooks?.afterToolCall?.(admitted, outcome)) ?? outcome, call);
    if (final.terminal !== true && checkOutput !== undefined) assertContract(checkOutput, final, call);
    return final;
  };
}

/** Whatever a tool or hook returned, as an outcome. */
export function assertOutcome(outcome: unknown, call: NestedCall): ToolOutcome {
  if (typeof outcome === "object" && outcome !== null && "details" in outcome) return outcome as ToolOutcome;
  throw new NestedCallError(
    "tool_output_invalid",
    `${call.callableName} did not return { details: ... } but ${describeKind(outcome)}.`,
  );
}

/** Names the kind only: what a tool returned by mistake must not leak through an error. */
function describeKind(outcome: unknown): string {
  return typeof outcome === "string" ? "a string" : describeValue(outcome);
}

function assertContract(check: Validator, outcome: ToolOutcome, call: NestedCall): void {
  if (check(outcome.details).ok) return;
  throw new NestedCallError(
    "tool_output_invalid",
    `The result of ${call.callableName} does not match its declared output schema. The tool has run.`,
  );
}

function listed(problems: readonly string[]): string {
  const shown = problems.slice(0, MAX_PROBLEMS).join("; ");
  return problems.length <= MAX_PROBLEMS ? shown : `${shown}; and ${problems.length - MAX_PROBLEMS} more`;
}
