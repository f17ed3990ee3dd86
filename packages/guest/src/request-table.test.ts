import { expect, test } from "vitest";
import { createRequestTable } from "./request-table.js";

const errors = { createMarked: () => new Error(), writeStack: () => {} };

test("requests are numbered in order and taken once", () => {
  const table = createRequestTable(errors);
  void table.send("call", () => ',"binding":0,"input":"{}"');
  void table.send("yield", () => "");
  expect(JSON.parse(table.takeRequests())).toEqual([
    { method: "call", id: 1, binding: 0, input: "{}" },
    { method: "yield", id: 2 },
  ]);
  expect([table.takeRequests(), table.outstanding()]).toEqual(["[]", 2]);
});

test("ERR-01: a failed reply rejects with an Error that is known as the bridge's", async () => {
  const table = createRequestTable(errors);
  const reply = table.send("call", () => "");
  table.settle({ id: 1, ok: false, error: { name: "ToolError", message: "no", code: "E1" } });
  const error: unknown = await reply.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "ToolError", message: "no", code: "E1" });
  expect([table.isBridgeError(error), table.isBridgeError(new Error("no")), table.isBridgeError("no")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(table.outstanding()).toBe(0);
});

test("a reply nobody waits for changes nothing", () => {
  const table = createRequestTable(errors);
  expect(() => table.settle({ id: 7, ok: true, value: 1 })).not.toThrow();
});

test("fields that cannot be made reject the call and send nothing", async () => {
  const table = createRequestTable(errors);
  const reply = table.send("call", () => {
    throw new TypeError("pass one object");
  });
  await expect(reply).rejects.toThrow("pass one object");
  expect([table.takeRequests(), table.outstanding()]).toEqual(["[]", 0]);
});

test("a sealed table starts no call", async () => {
  const table = createRequestTable(errors);
  table.seal();
  await expect(table.send("call", () => "")).rejects.toThrow(
    "no call can start while a value is read or the result is taken",
  );
  expect(table.takeRequests()).toBe("[]");
});
