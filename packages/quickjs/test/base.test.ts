import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { bakeBase, decodeBase, loadBase } from "../src/base.js";
import { loadEngine } from "../src/engine.js";

const packaged = () => readFile(new URL("../dist/base.bin", import.meta.url));

test("the base in the package is the one that engine and prelude give; a red test asks for a build", async () => {
  const baked = Buffer.from(await bakeBase(await loadEngine()));
  expect(baked.equals(await packaged())).toBe(true);
});

test("a base of another engine build is not used: one is made, which differs by the build's name only", async () => {
  const engine = await loadEngine();
  const other = { ...engine, hash: "ab".repeat(32) };
  expect(decodeBase(await packaged(), other)).toBe(undefined);
  const { memory, ...pointers } = await loadBase(other);
  const { memory: own, ...ownPointers } = await loadBase(engine);
  expect(pointers).toEqual(ownPointers);
  const [written, ownWritten] = [memory, own].map((part) => {
    const target = new Uint8Array(part.byteLength);
    part.applyTo(target);
    return Buffer.from(target);
  });
  expect(written?.equals(ownWritten ?? Buffer.of())).toBe(true);
});

test("a damaged base is told", async () => {
  const cut = (await packaged()).subarray(0, -1);
  const engine = await loadEngine();
  expect(() => decodeBase(cut, engine)).toThrow("the engine's base memory is damaged");
});
