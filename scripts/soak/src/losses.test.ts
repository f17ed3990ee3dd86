import { expect, test } from "vitest";
import { unexplainedLosses } from "./losses.js";

const loss = (cell: number, from: number, to: number) => ({ cell, from, to });
const kill = (from: number, to = from) => ({ from, to });

test("a kill explains one loss that was under way until the thread was dead", () => {
  expect(unexplainedLosses([loss(1, 0, 10)], [kill(5)])).toEqual([]);
  expect(unexplainedLosses([loss(1, 7, 10)], [kill(5, 8)])).toEqual([]);
  expect(unexplainedLosses([loss(1, 0, 10)], [kill(11), kill(20)])).toEqual([loss(1, 0, 10)]);
  expect(unexplainedLosses([loss(1, 0, 10), loss(2, 0, 11)], [kill(5)])).toEqual([loss(2, 0, 11)]);
});

test("kills are given out so that as many losses as possible are explained", () => {
  expect(unexplainedLosses([loss(1, 0, 30), loss(2, 0, 10)], [kill(5), kill(20)])).toEqual([]);
  expect(unexplainedLosses([loss(1, 4, 12), loss(2, 0, 20), loss(3, 0, 6)], [kill(5), kill(8), kill(15)])).toEqual([]);
});
