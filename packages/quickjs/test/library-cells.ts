import { runInThisContext } from "node:vm";
import { VM_LIMITS, repliesTo, sourceOf, surfaceOf } from "@codemode/testing";
import type { GuestVm, OutputDelta, VmOptions, VmStep } from "@codemode/protocol";
import { afterAll, expect } from "vitest";
import { createQuickJsRuntime } from "../src/index.js";

/** What a function body comes to on the host, given JSON data as `input`, as it would leave a cell. */
export function onHost(body: string, input: unknown = null): unknown {
  const run = runInThisContext(`(function (input) { ${body} })`) as (input: unknown) => unknown;
  return JSON.parse(JSON.stringify(run(input)));
}

/** The same body as a cell. */
export function asCell(body: string, input: unknown = null): string {
  return `const input = JSON.parse(${JSON.stringify(JSON.stringify(input))}); ${body}`;
}

const BUDGET_MS = 15_000;
const SURFACE = surfaceOf("echo", "fail");
const LIMITS = { ...VM_LIMITS, maxOutputBytes: 4 * 1024 * 1024 };

export interface LibraryCells {
  /** The value of a completed cell; the step itself otherwise, so that a failed expectation shows why. */
  valueOf(code: string, options?: Partial<VmOptions>): Promise<unknown>;
  /** The same when the cell is parked at every boundary and goes on in another runtime, as on another worker. */
  valueWhenParked(code: string, options?: Partial<VmOptions>): Promise<unknown>;
  /** The failure's message, or the step. */
  failureOf(code: string): Promise<unknown>;
  /** The texts a completed cell wrote. */
  textsOf(code: string): Promise<unknown>;
}

/** Runs cells on two runtimes that the test file shares, and checks at its end that no handle is left. */
export function createLibraryCells(): LibraryCells {
  const runtimes = [createQuickJsRuntime(), createQuickJsRuntime()] as const;
  afterAll(() => {
    expect(runtimes.map((runtime) => runtime.liveHandles())).toEqual([0, 0]);
    for (const runtime of runtimes) runtime.dispose();
  });

  async function run(
    code: string,
    isParked: boolean,
    options: Partial<VmOptions> = {},
  ): Promise<{ step: VmStep; outputs: OutputDelta[] }> {
    const settings: VmOptions = { limits: LIMITS, ...options };
    let vm: GuestVm = await runtimes[0].create(SURFACE, settings);
    let step = vm.evaluate(sourceOf(code), BUDGET_MS);
    const outputs = [step.output];
    for (let turn = 1; step.type === "boundary"; turn++) {
      if (isParked) {
        const snapshot = vm.park();
        vm.dispose();
        vm = await (turn % 2 === 1 ? runtimes[1] : runtimes[0]).restore(snapshot, SURFACE, settings);
      }
      const replies = repliesTo(step, ({ id, method }) =>
        method === "timer" || method === "yield" ? { id, ok: true, value: "null" } : { id, ok: true, value: "1" },
      );
      step = vm.deliver({ replies }, BUDGET_MS);
      outputs.push(step.output);
    }
    vm.dispose();
    return { step, outputs };
  }

  const valueIn = ({ step }: { step: VmStep }): unknown =>
    step.type === "completed" ? (JSON.parse(step.value.text) as unknown) : step;

  return {
    valueOf: async (code, options) => valueIn(await run(code, false, options)),
    valueWhenParked: async (code, options) => valueIn(await run(code, true, options)),
    async failureOf(code) {
      const { step } = await run(code, false);
      return step.type === "failed" ? step.failure.message : step;
    },
    async textsOf(code) {
      const { step, outputs } = await run(code, false);
      if (step.type !== "completed") return step;
      return outputs.flatMap(({ items }) => items.map(({ text }) => (JSON.parse(text) as { text: string }).text));
    },
  };
}
