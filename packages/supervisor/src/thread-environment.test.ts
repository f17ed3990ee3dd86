import { join } from "node:path";
import { expect, test } from "vitest";
import { threadEnvironment } from "./thread-environment.js";

test("a thread shares the compile cache that the process has, and nothing else", () => {
  const folder = join("cache", "v22.23.5-x64-9ac5647c-0");
  expect(threadEnvironment({ getCompileCacheDir: () => folder })).toEqual({ NODE_COMPILE_CACHE: "cache" });
  expect(threadEnvironment({ getCompileCacheDir: () => undefined })).toEqual({});
  expect(threadEnvironment({})).toEqual({});
});
