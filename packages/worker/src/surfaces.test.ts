import { expect, test } from "vitest";
import { createSurfaces } from "./surfaces.js";

const surface = {
  fingerprint: "f",
  tools: [],
  mcp: [{ name: "m", aliases: [], functions: [] }],
  apiFiles: [{ path: "p", description: "", content: "", bytes: 0 }],
};

test("a surface that was told is found by its name, and reads as it was", () => {
  const surfaces = createSurfaces();
  surfaces.add({ type: "surface", fingerprint: "f", text: JSON.stringify(surface) });
  const { fingerprint, tools, mcp, apiFiles } = surfaces.named("f");
  expect({ fingerprint, tools, mcp, apiFiles }).toEqual(surface);
  expect(JSON.parse(JSON.stringify(surfaces.named("f")))).toEqual(surface);
});

test("one that was not told, or is to be forgotten, is a fault of the host", () => {
  const surfaces = createSurfaces();
  surfaces.add({ type: "surface", fingerprint: "f", text: "{}" });
  surfaces.add({ type: "surface", fingerprint: "g", text: "{}", forget: "f" });
  expect(() => surfaces.named("f")).toThrow("The worker has not been told the surface f.");
  expect(surfaces.named("g").fingerprint).toBe("g");
});
