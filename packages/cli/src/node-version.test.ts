import { expect, test } from "vitest";
import { nodeVersionProblem } from "./node-version.js";

test.each(["20.19.0", "20.20.2", "21.0.0", "22.1.0", "26.0.0", "20.19.0-nightly"])(
  "Node %s is new enough",
  (version) => {
    expect(nodeVersionProblem(version)).toBeUndefined();
  },
);

test.each(["20.18.3", "18.20.4", "12.0.0", "0.10.48", "strange"])("Node %s is refused", (version) => {
  expect(nodeVersionProblem(version)).toBe(
    `codemode needs Node.js 20.19 or newer, and this is ${version}; install a newer one from https://nodejs.org.`,
  );
});
