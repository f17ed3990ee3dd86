import { expect, test } from "vitest";
import { decodeMessage } from "./json-rpc.js";

const decode = (value: unknown) => decodeMessage({ type: "line", text: JSON.stringify(value) });
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
  expect(messages.map(decode)).toEqual(messages);
});

test("MCP-10: what is no message is none", () => {
  expect(["hello", "", "[1", "5"].map((text) => decodeMessage({ type: "line", text }))).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
  expect([null, [], "text"].map(decode)).toEqual([undefined, undefined, undefined]);
});

test.each([
  ["no version", { id: 4, result: {} }, answer({})],
  ["null as result", answer(null), error(-32603, "the answer is not an object")],
  ["an array as result", answer([1]), error(-32603, "the answer is not an object")],
  ["neither result nor error", { jsonrpc: "2.0", id: 4 }, error(-32603, "the answer is not an object")],
  ["_meta that is no object", answer({ a: 1, _meta: 5 }), answer({ a: 1 })],
  ["an odd error", { id: 4, error: { code: "E", message: { a: 1 } } }, error(-32603, "an object")],
])("MCP-10: an answer with %s still settles its request", (_what, faulty, repaired) => {
  expect(decode(faulty)).toEqual(repaired);
});

test.each([
  ['{"jsonrpc":"2.0","id":7,"result":{"content":[', "…"],
  ['{ "id" : 7 , "jsonrpc": "2.0", "result": {', "…"],
  ['{"result":{"content":[', '…]},"jsonrpc":"2.0","id":7}'],
  ['{"jsonrpc":"2.0","result":{"content":[', '…]}, "id": 7 }'],
])("MCP-10: an oversized answer %s fails its request", (head, tail) => {
  expect(decodeMessage({ type: "oversized", bytes: 99, head, tail })).toEqual({
    jsonrpc: "2.0",
    id: 7,
    error: { code: -32603, message: "the answer of 99 bytes is larger than this client accepts" },
  });
});

test.each([
  ['{"jsonrpc":"2.0","method":"notifications/message","params":{', '"id":7}'],
  ['{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{', "}}"],
  ["xxxxxxxx", 'xxx,"id":7}'],
])("MCP-10: oversized output that is no answer is dropped (%s)", (head, tail) => {
  expect(decodeMessage({ type: "oversized", bytes: 99, head, tail })).toBeUndefined();
});
