import { availableParallelism } from "node:os";
import { afterEach, expect, test, vi } from "vitest";
import { resolveOptions } from "./options.js";

vi.mock("node:os", async (original) => ({ ...(await original<object>()), availableParallelism: vi.fn(() => 3) }));
afterEach(() => void vi.mocked(availableParallelism).mockReturnValue(3));

const workerUrl = new URL("file:///worker.js");

test("as many workers as cores are available, none while idle, idle ones retire after 30 seconds", () => {
  const { onEvent: _, ...resolved } = resolveOptions({ workerUrl });
  expect(resolved).toEqual({ workerUrl, minWorkers: 0, maxWorkers: 3, idleTimeoutMs: 30_000 });
});

test("more cores than a pool may have workers are no error", () => {
  vi.mocked(availableParallelism).mockReturnValue(4_096);
  expect(resolveOptions({ workerUrl }).maxWorkers).toBe(1_024);
});

test.each([
  [{ maxWorkers: 0 }, "maxWorkers must be a whole number from 1 to 1024, got 0."],
  [{ maxWorkers: 2, minWorkers: 3 }, "minWorkers must be a whole number from 0 to 2, got 3."],
  [{ idleTimeoutMs: -1 }, "idleTimeoutMs must be a whole number from 0 to 2147483647, got -1."],
  [{ workerUrl: new URL("https://example.com/worker.js") }, "workerUrl must be a file: URL, got an object."],
])("what cannot be used is refused: %o", (options, message) => {
  expect(() => resolveOptions({ workerUrl, ...options })).toThrow(
    expect.objectContaining({ code: "invalid_argument", message }),
  );
});
