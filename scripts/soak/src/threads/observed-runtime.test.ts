import type { GuestRuntime, GuestVm, PreparedSource } from "@codemode/protocol";
import { expect, test } from "vitest";
import { renderMark, type Death } from "../mark.js";
import { observeRuntime } from "./observed-runtime.js";

const source = (death?: Death): PreparedSource => {
  const submitted = `${renderMark({ cell: 7, ...(death === undefined ? {} : { death }) })}return 1;`;
  return { language: "javascript", submitted, code: submitted, insertions: [] };
};

/** A runtime whose VMs do nothing, watched; `log` has what it told its page, and deaths. */
function watched(leftHandles = 0): { runtime: GuestRuntime; log: string[] } {
  const log: string[] = [];
  const vm = { evaluate: () => ({}), deliver: () => ({}), park: () => ({}), dispose: () => {} } as unknown as GuestVm;
  const inner = {
    load: async () => {},
    create: async () => vm,
    restore: async () => vm,
    liveHandles: () => leftHandles,
    dispose: () => {},
  };
  const page = {
    onEvaluate: (cell: number) => void log.push(`evaluates ${cell}`),
    onOpen: () => void log.push("open"),
    onDispose: (handles: number) => void log.push(`disposed ${handles}`),
  };
  return { runtime: observeRuntime(inner, page, () => log.push("dies")), log };
}

const open = (runtime: GuestRuntime): Promise<GuestVm> => runtime.create({} as never, {} as never);

test.each([
  [undefined, ["open", "evaluates 7"]],
  ["evaluate", ["open", "evaluates 7", "dies"]],
  ["deliver", ["open", "evaluates 7", "dies"]],
  ["park", ["open", "evaluates 7", "dies"]],
] as const)("a cell marked to die at %s does so there", async (death, expected) => {
  const { runtime, log } = watched();
  const vm = await open(runtime);
  vm.evaluate(source(death), 1);
  if (death === "deliver") vm.deliver({ replies: [] }, 1);
  if (death === "park") vm.park();
  expect(log).toEqual(expected);
});

test("handles are asked for when the last VM is disposed, and each VM counts once", async () => {
  const { runtime, log } = watched(3);
  const [first, second] = [await open(runtime), await open(runtime)];
  first.dispose();
  first.dispose();
  second.dispose();
  expect(log).toEqual(["open", "open", "disposed 0", "disposed 3"]);
});
