import { expect, test } from "vitest";
import { readResources, resourcesBeyond } from "./resources.js";

test("what there is more of than before is named", () => {
  const before = { active: { Timeout: 1, PipeWrap: 2 }, systemThreads: 10 };
  expect(resourcesBeyond(before, { active: { Timeout: 1, PipeWrap: 2 }, systemThreads: 14 })).toEqual([]);
  expect(resourcesBeyond(before, { active: { Timeout: 3, MessagePort: 1 }, systemThreads: 15 })).toEqual([
    "2 active resources of type Timeout",
    "1 active resources of type MessagePort",
    "5 system threads",
  ]);
});

test("a timer that keeps the process alive is seen", () => {
  const before = readResources();
  const timer = setTimeout(() => {}, 60_000);
  expect(resourcesBeyond(before, readResources())).toEqual(["1 active resources of type Timeout"]);
  clearTimeout(timer);
});
