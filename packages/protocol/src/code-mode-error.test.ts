import { expect, test } from "vitest";
import { CodeModeError } from "./code-mode-error.js";
import { describeValue } from "./describe-value.js";
import { ERROR_CODES, FAILURE_CODES, FAILURE_PHASES } from "./error-codes.js";
import { ExecInputSchema, WaitInputSchema } from "./cell.js";

test("an error keeps code, details and cause, and is told by its brand across copies", () => {
  const cause = new Error("root");
  const error = new CodeModeError("closed", "The run was closed.", { what: "run" }, { cause });
  expect([error.name, error.code, error.details, error.message, error.cause]).toEqual([
    "CodeModeError",
    "closed",
    { what: "run" },
    "The run was closed.",
    cause,
  ]);
  const copy = Object.assign(new Error("copy"), { [Symbol.for("@codemode/error")]: true });
  expect([error, copy, new Error("other"), null, "text"].map((value) => CodeModeError.isInstance(value))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("the codes and phases are these", () => {
  expect(FAILURE_CODES).toEqual([
    "invalid_input",
    "runtime_unavailable",
    "aborted",
    "timeout",
    "output_limit_exceeded",
    "snapshot_limit_exceeded",
    "internal_error",
  ]);
  expect(FAILURE_PHASES).toEqual(["input", "guest", "bridge", "host"]);
  expect(Object.keys(ERROR_CODES).sort()).toEqual(
    [
      ...FAILURE_CODES,
      "invalid_argument",
      "closed",
      "malformed_message",
      "snapshot_incompatible",
      "mcp_server_failed",
      "payload_rejected",
    ].sort(),
  );
});

test("SURF-02: the schemas of exec and wait are flat, with code required and language an enum of strings", () => {
  const schema = JSON.parse(JSON.stringify(ExecInputSchema)) as Record<string, unknown>;
  expect(JSON.stringify(schema)).not.toMatch(/anyOf|oneOf|allOf/);
  expect(schema["required"]).toEqual(["code"]);
  expect((schema["properties"] as Record<string, unknown>)["language"]).toEqual({
    type: "string",
    enum: ["javascript", "typescript"],
    description: "Default javascript.",
  });
  expect(JSON.parse(JSON.stringify(WaitInputSchema))).toMatchObject({ type: "object", required: ["runId"] });
});

test("a described value is short, on one line, and runs no code of the value", () => {
  const hostile = {
    get a() {
      throw new Error("must not run");
    },
    toString: () => "must not run",
  };
  expect([hostile, [1], null, undefined, () => 1, Symbol("s"), 1n, "a\nb"].map(describeValue)).toEqual([
    "an object",
    "an array",
    "null",
    "undefined",
    "a function",
    "a symbol",
    "1",
    '"a\\nb"',
  ]);
  expect(describeValue("x".repeat(1_000))).toHaveLength(200);
});
