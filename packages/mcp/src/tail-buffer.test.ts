import { expect, test } from "vitest";
import { createTailBuffer, lastWords } from "./tail-buffer.js";

test("MCP-10: only the last bytes are kept", () => {
  const tail = createTailBuffer(10);
  expect(tail.text()).toBe("");
  tail.append(Buffer.from("0123456"));
  expect(tail.text()).toBe("0123456");
  tail.append(Buffer.from("789abc"));
  expect(tail.text()).toBe("3456789abc");
  tail.append(Buffer.from("x".repeat(1_000_000)));
  expect(tail.text()).toBe("xxxxxxxxxx");
});

test.each([
  ["", ""],
  ["\n \n", ""],
  ["starting\nready\n", "ready"],
  ["Error: no key\r\n    at main (a.js:1:1)\r\n\r\nNode.js v20\r\n", "Error: no key"],
  ["error: first\nTypeError: second\n    at Error (a.js)\nbye", "TypeError: second"],
])("MCP-10: the telling line of %j is %j", (output, line) => {
  expect(lastWords(output)).toBe(line);
});
