import { expect, test } from "vitest";
import { createPacedQueue } from "./paced-queue.js";

test("MCP-10: a flood of messages is handed on in order, a few at a time", async () => {
  let time = 0;
  const seen: (number | string)[] = [];
  const queue = createPacedQueue<number>({
    deliver(item) {
      seen.push(item);
      time += 3;
    },
    onFull: () => seen.push("full"),
    onEmpty: () => seen.push("empty"),
    now: () => time,
  });
  queue.push([1, 2]);
  expect(seen).toEqual([1, 2]);
  await queue.drained();

  queue.push([3, 4, 5, 6]);
  setImmediate(() => seen.push("another's turn"));
  queue.push([7]);
  expect(seen).toEqual([1, 2, 3, 4, 5, "full"]);
  await queue.drained();
  expect(seen).toEqual([1, 2, 3, 4, 5, "full", 6, 7, "empty"]);
  await new Promise(setImmediate);
  expect(seen.at(-1)).toBe("another's turn");
});
