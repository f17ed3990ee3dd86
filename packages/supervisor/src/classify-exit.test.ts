import { expect, test } from "vitest";
import { failureOfExit } from "./classify-exit.js";

test("what the end of a worker means for its cell", () => {
  const reasons = ["idle", "closed", "deadline", "aborted", "crashed", "malformed"] as const;
  const rows = reasons.map((reason) => {
    const { code, phase } = failureOfExit(reason);
    return [reason, code, phase];
  });
  expect(rows).toEqual([
    ["idle", "runtime_unavailable", "host"],
    ["closed", "aborted", "host"],
    ["deadline", "timeout", "guest"],
    ["aborted", "aborted", "host"],
    ["crashed", "runtime_unavailable", "host"],
    ["malformed", "internal_error", "host"],
  ]);
  expect(failureOfExit("malformed").message).toBe(
    "WorkerError: the worker broke the message protocol: unreadable message.",
  );
});
