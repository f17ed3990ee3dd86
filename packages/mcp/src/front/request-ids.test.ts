import { expect, test } from "vitest";
import { createRequestIds } from "./request-ids.js";

const request = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" });

test("E2E-03: an id is taken until its request is over, and a number is not the text of it", () => {
  const ids = createRequestIds();
  expect([ids.enter(request(1)), ids.enter(request("1"))]).toEqual([undefined, undefined]);
  expect(ids.enter(request(1))).toBe("repeated");
  ids.leave([1]);
  expect(ids.enter(request(1))).toBeUndefined();
});

test("E2E-03: a batch is taken whole or not at all", () => {
  const ids = createRequestIds();
  ids.enter(request(1));
  expect(ids.enter([request(2), request(1)])).toBe("repeated");
  expect(ids.enter([request(2), request(2)])).toBe("repeated");
  expect(ids.enter([request(2), request(3)])).toBeUndefined();
});

test("E2E-03: notifications, answers and what is no message have no id to take", () => {
  const ids = createRequestIds();
  const others = [{ method: "notifications/initialized" }, { id: 1, result: {} }, request(null), request({}), 7, null];
  expect(others.map((one) => ids.enter(one))).toEqual(others.map(() => undefined));
  expect(ids.enter(request(1))).toBeUndefined();
});

test("E2E-03: 256 requests are under way at most", () => {
  const ids = createRequestIds();
  expect(ids.enter(Array.from({ length: 256 }, (_, id) => request(id)))).toBeUndefined();
  expect(ids.enter(request(256))).toBe("too-many");
  ids.leave([0]);
  expect(ids.enter(request(256))).toBeUndefined();
});
