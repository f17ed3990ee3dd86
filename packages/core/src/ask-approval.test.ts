import { expect, test } from "vitest";
import type { NestedCall, ToolCallContext } from "@codemode/protocol";
import { askApproval } from "./ask-approval.js";
import { NestedCallError } from "./nested-call-error.js";

const call = { callableName: "write" } as NestedCall;

function contextOf(signal = new AbortController().signal): ToolCallContext {
  return { call, signal, remainingMs: 1_000, onUpdate: () => {}, suspendBudget: (whileWaiting) => whileWaiting };
}

async function refusalOf(verdict: unknown): Promise<unknown> {
  try {
    await askApproval(async () => verdict as never, call, contextOf());
    return "allowed";
  } catch (error) {
    if (!(error instanceof NestedCallError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

test.each([
  ["allow", "allowed"],
  [{ deny: "not now" }, "tool_denied: not now"],
  [{ deny: " " }, "tool_denied: the call was not approved."],
  [{ deny: 7, allow: true }, "tool_denied: the call was not approved."],
  [undefined, 'tool_denied: the approval gate must give "allow" or { deny }, got undefined.'],
  ["ALLOW", 'tool_denied: the approval gate must give "allow" or { deny }, got a string.'],
  [{ allow: true }, 'tool_denied: the approval gate must give "allow" or { deny }, got an object.'],
])("APPR-02: the verdict %j comes to: %s", async (verdict, outcome) => {
  expect(await refusalOf(verdict)).toBe(outcome);
});

test("APPR-02: a long reason is cut", async () => {
  const refusal = (await refusalOf({ deny: "é".repeat(100_000) })) as string;
  expect(Buffer.byteLength(refusal)).toBeLessThanOrEqual("tool_denied: ".length + 2_000);
  expect(refusal).toMatch(/é \[error truncated\]$/);
});

test("APPR-02: a verdict that cannot be read is none: the approval has failed", async () => {
  const verdict = {
    get deny(): string {
      throw new Error("no connection");
    },
  };
  expect(await refusalOf(verdict)).toBe("approval_failed: The approval of write failed: no connection");
});

test("APPR-02: a gate that throws at once has failed, and keeps its error for the host", async () => {
  const cause = new Error("no connection");
  const asked = askApproval(
    () => {
      throw cause;
    },
    call,
    contextOf(),
  );
  const message = "The approval of write failed: no connection";
  await expect(asked).rejects.toMatchObject({ name: "ToolError", code: "approval_failed", message, cause });
});

test("OWN-02: a verdict that comes after the abort allows nothing", async () => {
  const controller = new AbortController();
  const gate = async (): Promise<"allow"> => {
    controller.abort(new Error("cancelled"));
    return "allow";
  };
  await expect(askApproval(gate, call, contextOf(controller.signal))).rejects.toThrow("cancelled");
});
