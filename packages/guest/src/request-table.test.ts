import { expect, test } from "vitest";
import { createRequestTable } from "./request-table.js";

const errors = { createMarked: () => new Error(), writeStack: () => {} };

test("requests are numbered in order and taken once", () => {
  const table = createRequestTable(errors);
  void table.call(0, () => "{}");
  void table.send("yield", () => "");
  void table.call(3, () => '{"a":1}');
  expect(JSON.parse(table.takeRequests())).toEqual([
    { method: "call", id: 1, binding: 0, input: 2 },
    { method: "yield", id: 2 },
    { method: "call", id: 3, binding: 3, input: 7 },
  ]);
  expect(table.takeInputs()).toBe('{}{"a":1}');
  expect([table.takeRequests(), table.takeInputs(), table.outstanding()]).toEqual(["[]", "", 3]);
});

test("ERR-01: a failed reply rejects with an Error that is known as the bridge's", async () => {
  const table = createRequestTable(errors);
  const reply = table.call(0, () => "{}");
  table.reject(1, { name: "ToolError", message: "no", code: "E1" });
  const error: unknown = await reply.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "ToolError", message: "no", code: "E1" });
  const said = "ToolError: no";
  expect([table.isBridgeError(error, said), table.isBridgeError(error, `${said}!`)]).toEqual([true, false]);
  expect([table.isBridgeError(new Error("no"), said), table.isBridgeError(said, said)]).toEqual([false, false]);
  expect(table.outstanding()).toBe(0);
});

test("MCP-12: a result is read before it settles, and may be a failure of the bridge's", async () => {
  const table = createRequestTable(errors);
  const read = (result: unknown) =>
    result === "bad" ? { isFailure: true as const, message: "no" } : { isFailure: false as const, value: [result] };
  const good = table.call(0, () => "{}", read);
  const bad = table.call(0, () => "{}", read);
  table.resolve(1, "good");
  table.resolve(2, "bad");
  expect(await good).toEqual(["good"]);
  const error: unknown = await bad.catch((thrown: unknown) => thrown);
  expect([String(error), table.isBridgeError(error, "Error: no")]).toEqual(["Error: no", true]);
});

test("a reply nobody waits for changes nothing", () => {
  const table = createRequestTable(errors);
  expect(() => {
    table.resolve(7, 1);
    table.reject(7, { name: "Error", message: "no", code: null });
  }).not.toThrow();
});

test("fields that cannot be made reject the call and send nothing", async () => {
  const table = createRequestTable(errors);
  const reply = table.call(0, () => {
    throw new TypeError("pass one object");
  });
  await expect(reply).rejects.toThrow("pass one object");
  expect([table.takeRequests(), table.outstanding()]).toEqual(["[]", 0]);
});

test("a sealed table starts no call", async () => {
  const table = createRequestTable(errors);
  table.seal();
  await expect(table.call(0, () => "{}")).rejects.toThrow(
    "no call can start while a value is read or the result is taken",
  );
  expect(table.takeRequests()).toBe("[]");
});
