import { expect, test } from "vitest";
import { describeInvalidResult } from "./invalid-result.js";

const issue = (path: unknown[], message: string) => ({ code: "invalid_type", path, message });
const refused = (issues: unknown) => `Invalid result for initialize: ${JSON.stringify(issues, undefined, 2)}`;

test.each([
  [
    refused([issue(["serverInfo", "name"], "Invalid input: expected string, received undefined")]),
    "its answer is malformed: serverInfo.name (expected string, received undefined)",
  ],
  [refused([issue([], "odd")]), "its answer is malformed: the result (odd)"],
  [
    refused(["a", "b", "c", "d", "e"].map((name) => issue([name], "odd"))),
    "its answer is malformed: a (odd), b (odd), c (odd), and 2 more",
  ],
  [refused([{ path: 5, message: 6 }]), "its answer is malformed: the result (unusable)"],
  ["Invalid result for initialize: not an object", "its answer is malformed"],
  ["Invalid result for initialize: [broken", "its answer is malformed"],
  [refused([]), "its answer is malformed"],
])("MCP-10: %j is %j", (message, clause) => {
  expect(describeInvalidResult(message)).toBe(clause);
});
