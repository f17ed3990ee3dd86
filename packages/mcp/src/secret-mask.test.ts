import { expect, test } from "vitest";
import { createSecretMask } from "./secret-mask.js";

test("SEC-04: values of the environment are hidden wherever they show, the longest first", () => {
  const mask = createSecretMask({ command: "x", env: { KEY: "abcdefgh", LONGER: "abcdefghij", DEBUG: "true" } });
  expect(mask("true: abcdefghij is no abcdefgh, abcdefg")).toBe("true: [hidden] is no [hidden], abcdefg");
  expect(createSecretMask({ command: "x" })("abcdefgh")).toBe("abcdefgh");
});

test("SEC-04: header values, their words and values in the address are hidden", () => {
  const headers = { Authorization: "Bearer 0123456789", "X-Mode": "safe" };
  const mask = createSecretMask({ url: "https://host.example/mcp?key=k%2B7777777&v=1", headers });
  expect(mask("safe: no 0123456789 for k+7777777 1")).toBe("safe: no [hidden] for [hidden] 1");
  expect(mask("GET /mcp?key=k%2B7777777&v=1")).toBe("GET /mcp?key=[hidden]&v=1");
});

test("SEC-04: a value is hidden where JSON escapes it as well", () => {
  const value = 'pass"word\\1\nsecond';
  const mask = createSecretMask({ command: "x", env: { KEY: value } });
  expect(mask(JSON.stringify({ value, ok: 1 }))).toBe('{"value":"[hidden]","ok":1}');
});
