import type { GuestRuntime } from "@codemode/protocol";
import { afterEach, expect } from "vitest";
import { createQuickJsRuntime } from "../src/index.js";

const open: GuestRuntime[] = [];

afterEach(() => {
  const runtimes = open.splice(0);
  const live = runtimes.map((runtime) => runtime.liveHandles());
  for (const runtime of runtimes) runtime.dispose();
  expect(live).toEqual(runtimes.map(() => 0));
});

/** A runtime that is disposed after the test, when none of its handles may be live any more. */
export function openRuntime(create: () => GuestRuntime = createQuickJsRuntime): GuestRuntime {
  const runtime = create();
  open.push(runtime);
  return runtime;
}
