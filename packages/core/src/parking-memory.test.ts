import { expect, test } from "vitest";
import { createParkingMemory } from "./parking-memory.js";

test("WAIT-12: spaces never hold more than the total together, and the last free bytes are always shared out", () => {
  const memory = createParkingMemory(1_000);
  const spaces = [memory.reserve(300), memory.reserve(1_000), memory.reserve(1_000), memory.reserve(1_000)];
  expect(spaces.map(({ bytes }) => bytes)).toEqual([300, 350, 175, 87]);
});

test("what a snapshot does not need, and what is freed, can be reserved again", () => {
  const memory = createParkingMemory(1_000);
  const first = memory.reserve(400);
  first.shrink(100);
  first.shrink(200);
  expect([first.bytes, memory.reserve(1_000).bytes]).toEqual([100, 450]);
  first.free();
  first.free();
  expect(memory.reserve(1_000).bytes).toBe(275);
});
