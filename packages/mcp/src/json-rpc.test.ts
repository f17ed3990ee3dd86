import { expect, test } from "vitest";
import { decodeMessages } from "./json-rpc.js";

const decode = (value: unknown) => decodeMessages({ type: "line", text: JSON.stringify(value) });
const answer = (result: unknown) => ({ jsonrpc: "2.0", id: 4, result });
const error = (code: number, message: string) => ({ jsonrpc: "2.0", id: 4, error: { code, message } });

test("MCP-10: requests, notifications and sound answers pass unchanged", () => {
  const messages = [
    { jsonrpc: "2.0", id: 1, method: "ping" },
    { jsonrpc: "2.0", method: "notifications/message", params: { data: 1 } },
    answer({ tools: [] }),
    answer({ _meta: { a: 1 } }),
    error(-32602, "no"),
  ];
  expect(messages.flatMap(decode)).toEqual(messages);
});

test("MCP-10: what is no message is none", () => {
  expect(["hello", "", "[1", "5"].flatMap((text) => decodeMessages({ type: "line", text }))).toEqual([]);
  expect([null, [], "text", [1, null, ["deeper"]]].flatMap(decode)).toEqual([]);
});

test("MCP-10: a batch is each of its messages, what is none of them left out", () => {
  const request = { jsonrpc: "2.0", id: 1, method: "ping" };
  expect(decode([answer({ a: 1 }), 5, { id: 4, result: null }, request])).toEqual([
    answer({ a: 1 }),
    error(-32603, "the answer is not an object"),
    request,
  ]);
});

test("MCP-10: a byte order mark costs no message", () => {
  const text = `\ufeff${JSON.stringify(answer({ a: 1 }))}`;
  expect(decodeMessages({ type: "line", text })).toEqual([answer({ a: 1 })]);
});

test.each([
  ["no version", { id: 4, result: {} }, answer({})],
  ["null as result", answer(null), error(-32603, "the answer is not an object")],
  ["an array as result", answer([1]), error(-32603, "the answer is not an object")],
  ["neither result nor error", { jsonrpc: "2.0", id: 4 }, error(-32603, "the answer is not an object")],
  ["_meta that is no object", answer({ a: 1, _meta: 5 }), answer({ a: 1 })],
  ["an odd error", { id: 4, error: { code: "E", message: { a: 1 } } }, error(-32603, "an object")],
  ["an error of text", { id: 4, error: "no such row" }, error(-32603, "no such row")],
  ["an error that is a list", { id: 4, error: [1] }, error(-32603, "an array")],
  ["null as error", { id: 4, error: null, result: {} }, answer({})],
  ["an error without a reason", { id: 4, error: {} }, error(-32603, "it gave no reason")],
  ["data", { id: 4, error: { code: 1, message: "no", data: { field: "x" } } }, error(1, 'no; data: {"field":"x"}')],
  ["data that is null", { id: 4, error: { code: 1, message: "no", data: null } }, error(1, "no")],
  [
    "much data",
    { id: 4, error: { code: 1, message: "no", data: "x".repeat(1_000) } },
    error(1, `no; data: "${"x".repeat(498)}…`),
  ],
])("MCP-10: an answer with %s still settles its request", (_what, faulty, repaired) => {
  expect(decode(faulty)).toEqual([repaired]);
});

test("MCP-10: data nested too deeply to be written again is named", () => {
  const text = `{"id":4,"error":{"code":1,"message":"no","data":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`;
  expect(decodeMessages({ type: "line", text })).toEqual([error(1, "no; data: an array")]);
});

test.each([
  ['{"jsonrpc":"2.0","id":7,"result":{"content":[', "…"],
  ['{ "id" : 7 , "jsonrpc": "2.0", "result": {', "…"],
  ['{"result":{"content":[', '…]},"jsonrpc":"2.0","id":7}'],
  ['{"jsonrpc":"2.0","result":{"content":[', '…]}, "id": 7 }'],
])("MCP-10: an oversized answer %s fails its request", (head, tail) => {
  expect(decodeMessages({ type: "oversized", bytes: 99, head, tail })).toEqual([
    { ...error(-32603, "the answer of 99 bytes is larger than this client accepts; ask for less at a time"), id: 7 },
  ]);
});

test.each([
  ['{"jsonrpc":"2.0","method":"notifications/message","params":{', '"id":7}'],
  ['{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{', "}}"],
  ["xxxxxxxx", 'xxx,"id":7}'],
])("MCP-10: oversized output that is no answer is dropped (%s)", (head, tail) => {
  expect(decodeMessages({ type: "oversized", bytes: 99, head, tail })).toEqual([]);
});
