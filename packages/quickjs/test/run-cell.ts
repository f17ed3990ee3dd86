import { VM_LIMITS, repliesTo, sourceOf, surfaceOf } from "@codemode/testing";
import type { GuestRuntime, VmOptions, VmStep } from "@codemode/protocol";
import { createQuickJsRuntime } from "../src/index.js";
import { openRuntime } from "./runtimes.js";

const BUDGET_MS = 10_000;

/** Runs one cell in a VM of its own, echoing calls. After the test no handle may be left. */
export async function runCell(
  code: string,
  options: Partial<VmOptions> & { budgetMs?: number } = {},
  createRuntime: () => GuestRuntime = createQuickJsRuntime,
): Promise<VmStep> {
  const runtime = openRuntime(createRuntime);
  const vm = await runtime.create(surfaceOf("echo", "fail"), { limits: VM_LIMITS, ...options });
  let step = vm.evaluate(sourceOf(code), options.budgetMs ?? BUDGET_MS);
  while (step.type === "boundary") {
    const replies = repliesTo(step, (request) =>
      request.method === "call" && request.binding === 1
        ? { id: request.id, ok: false, error: { name: "Error", message: "no" } }
        : { id: request.id, ok: true, value: request.method === "call" ? request.input : "null" },
    );
    step = vm.deliver({ replies }, options.budgetMs ?? BUDGET_MS);
  }
  vm.dispose();
  return step;
}

/** The value of a completed cell; the step itself otherwise, so that a failed expectation shows why. */
export async function valueOf(
  code: string,
  options: Partial<VmOptions> = {},
  createRuntime?: () => GuestRuntime,
): Promise<unknown> {
  const step = await runCell(code, options, createRuntime);
  return step.type === "completed" ? (JSON.parse(step.value.text) as unknown) : step;
}
