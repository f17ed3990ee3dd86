import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { withExhaustionLatch } from "./exhaustion-latch.js";

const engine = readFileSync(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm"));

test("the engine's code grows by the latch and stays valid", () => {
  const changed = withExhaustionLatch(engine);
  expect([changed.length - engine.length, WebAssembly.validate(changed)]).toEqual([7, true]);
});

test.each([
  ["without its sections", engine.subarray(0, 8), "the engine's code has no section 7"],
  ["that is cut off", engine.subarray(0, 9), "the engine's code ends too early"],
  ["that names the function otherwise", renamed(), "the engine does not export JS_ThrowOutOfMemory"],
])("code %s is refused", (_name, code, message) => {
  expect(() => withExhaustionLatch(code)).toThrow(new Error(message));
});

function renamed(): Uint8Array {
  const code = Buffer.from(engine);
  code.write("JS_ThrowOutOfmemory", code.indexOf("JS_ThrowOutOfMemory"));
  return code;
}
