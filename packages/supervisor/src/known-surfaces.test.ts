import { expect, test } from "vitest";
import type { GuestSurface } from "@codemode/protocol";
import { createKnownSurfaces } from "./known-surfaces.js";

function surface(fingerprint: string): GuestSurface {
  return { fingerprint, tools: [], mcp: [], apiFiles: [] };
}

test("a surface is told once", () => {
  const known = createKnownSurfaces();
  const first = surface("1");
  expect(known.introduce(first)).toEqual({ type: "surface", fingerprint: "1", text: JSON.stringify(first) });
  expect([known.introduce(first), known.introduce(surface("1"))]).toEqual([undefined, undefined]);
});

test("the ninth makes the worker forget the one that was used longest ago, which is told again", () => {
  const known = createKnownSurfaces();
  for (let index = 1; index <= 8; index++) known.introduce(surface(`${index}`));
  known.introduce(surface("1"));
  expect(known.introduce(surface("9"))).toMatchObject({ fingerprint: "9", forget: "2" });
  expect(known.introduce(surface("1"))).toBeUndefined();
  expect(known.introduce(surface("2"))).toMatchObject({ fingerprint: "2", forget: "3" });
});

test("one that cannot be told is not known", () => {
  const known = createKnownSurfaces();
  const broken = { ...surface("1"), tools: [1n as never] };
  expect(() => known.introduce(broken)).toThrow(TypeError);
  expect(() => known.introduce(broken)).toThrow(TypeError);
});
