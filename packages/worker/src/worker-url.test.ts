import { expect, test } from "vitest";
import { workerUrl } from "./worker-url.js";

test("the entry is found in dist, from source too", () => {
  expect(workerUrl.href).toBe(new URL("../dist/entry.js", import.meta.url).href);
});
