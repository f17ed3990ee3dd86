import { expect, test } from "vitest";
import { paceLines } from "./pace-lines.js";

async function partsOf(chunks: readonly string[]): Promise<string[]> {
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
      controller.close();
    },
  });
  const parts: string[] = [];
  for await (const part of source.pipeThrough(paceLines()) as unknown as AsyncIterable<Uint8Array>) {
    parts.push(Buffer.from(part).toString());
  }
  return parts;
}

test("MCP-10: many lines come in parts of a few, and others have their turn in between", async () => {
  let turns = 0;
  const count = setInterval(() => (turns += 1), 0);
  for (const line of ["data: {}\n", "data: {}\r", "data: {}\r\n"]) {
    const whole = line.repeat(50_000);
    const parts = await partsOf([whole, whole]);
    expect(parts.join("")).toBe(whole + whole);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(128 * line.length);
  }
  clearInterval(count);
  expect(turns).toBeGreaterThan(3);
});

test("MCP-10: a long line stays in the parts it comes in", async () => {
  const chunks = ["data: ", "x".repeat(200_000), "y\n\n"];
  expect(await partsOf(chunks)).toEqual(chunks);
});
