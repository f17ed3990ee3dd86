import { CodeModeError, type BridgeRequest } from "@codemode/protocol";
import { describe, expect, test } from "vitest";
import { decodeInput, decodeRequests } from "./request.js";

function refusal(from: string, problem: string): CodeModeError {
  return new CodeModeError("malformed_message", `Malformed message from the ${from}: ${problem}.`, { from, problem });
}

describe("SEC-03: requests", () => {
  test("every method is decoded to exactly its fields", () => {
    const requests: BridgeRequest[] = [
      { method: "call", id: 1, binding: 0, input: "{}" },
      { method: "search", id: 2, query: "mail" },
      { method: "search", id: 3, query: "", limit: 5 },
      { method: "describe", id: 4, binding: 2 },
      { method: "timer", id: 5, delayMs: 0.5 },
      { method: "yield", id: 6 },
      { method: "yield", id: 9, reason: "later" },
    ];
    expect(decodeRequests(JSON.parse(JSON.stringify(requests)))).toEqual(requests);
  });

  const call = { method: "call", id: 1, binding: 0, input: "{}" };
  const refused: readonly (readonly [name: string, value: unknown, problem: string])[] = [
    ["no array", { 0: call, length: 1 }, "requests must be an array, got an object"],
    ["nothing", [undefined, call], "request 1 must be an object, got undefined"],
    ["an array as request", [[1]], "request 1 must be an object, got an array"],
    [
      "unknown method",
      [{ ...call, method: "eval" }],
      'request 1: method must be one of call, search, describe, timer, yield, got "eval"',
    ],
    ["method of another type", [{ ...call, method: 1 }], "request 1: method must be a string, got 1"],
    ["fractional id", [{ ...call, id: 1.5 }], "request 1: id must be an integer of at least 1, got 1.5"],
    ["zero id", [{ ...call, id: 0 }], "request 1: id must be an integer of at least 1, got 0"],
    ["text id", [{ ...call, id: "1" }], 'request 1: id must be an integer of at least 1, got "1"'],
    ["unsafe id", [{ ...call, id: 2 ** 53 }], "request 1: id must be an integer of at least 1, got 9007199254740992"],
    [
      "missing binding",
      [{ method: "describe", id: 1 }],
      "request 1: binding must be an integer of at least 0, got undefined",
    ],
    ["input that is no text", [{ ...call, input: {} }], "request 1: input must be a string, got an object"],
    [
      "negative delay",
      [{ method: "timer", id: 1, delayMs: -1 }],
      "request 1: delayMs must be a number of at least 0, got -1",
    ],
    [
      "endless delay",
      [{ method: "timer", id: 1, delayMs: Infinity }],
      "request 1: delayMs must be a finite number, got Infinity",
    ],
    [
      "limit of another type",
      [{ method: "search", id: 1, query: "", limit: "5" }],
      'request 1: limit must be a finite number, got "5"',
    ],
    [
      "reason of another type",
      [{ method: "yield", id: 1, reason: null }],
      "request 1: reason must be a string, got null",
    ],
    ["a field too many", [{ ...call, toolId: "host:secret" }], 'request 1: unknown field "toolId"'],
    ["a duplicate id", [call, call], "request 2: id 1 does not come after 1"],
  ];
  test.each(refused)("%s is refused", (_name, value, problem) => {
    expect(() => decodeRequests(value)).toThrow(refusal("guest", problem));
  });

  test("ids of earlier batches are refused", () => {
    expect(decodeRequests([{ ...call, id: 8 }], 7)).toEqual([{ ...call, id: 8 }]);
    expect(() => decodeRequests([{ ...call, id: 7 }], 7)).toThrow(
      refusal("guest", "request 1: id 7 does not come after 7"),
    );
  });

  test("a polluted prototype adds no field", () => {
    expect(() => decodeRequests([Object.create(call)])).toThrow(
      refusal("guest", "request 1: id must be an integer of at least 1, got undefined"),
    );
  });

  test("the input of a call is one object", () => {
    expect(decodeInput('{"a":[1]}')).toEqual({ a: [1] });
    expect(() => decodeInput("[1]")).toThrow(refusal("guest", "the input of a call must be an object, got an array"));
    expect(() => decodeInput("{")).toThrow(refusal("guest", "the input of a call is not JSON"));
  });
});
