import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineReader, type MessageLine } from "./message-lines.js";

function readAll(chunks: readonly Buffer[], maxBytes: number): MessageLine[] {
  const reader = createLineReader(maxBytes);
  return chunks.flatMap((chunk) => reader.push(chunk));
}

const line = (text: string): MessageLine => ({ type: "line", text });

test("MCP-10: lines come out whole however the bytes were cut", () => {
  const bytes = Buffer.from("one\n\ntwö 𝄞\nunfinished");
  const expected = [line("one"), line(""), line("twö 𝄞")];
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 30, maxLength: 30 }), (sizes) => {
      let start = 0;
      const chunks = sizes.map((size) => bytes.subarray(start, (start += size)));
      expect(readAll([...chunks, bytes.subarray(start)], 100)).toEqual(expected);
    }),
    { seed: 7 },
  );
});

test("MCP-10: a line of exactly the limit is whole, one byte more is reduced to its ends", () => {
  const fits = "a".repeat(3_000);
  expect(readAll([Buffer.from(`${fits}\nb\n`)], 3_000)).toEqual([line(fits), line("b")]);
  const long = `${"h".repeat(512)}${"m".repeat(2_000)}${"t".repeat(512)}`;
  const oversized = { type: "oversized", bytes: 3_024, head: "h".repeat(512), tail: "t".repeat(512) };
  for (const size of [1, 100, 513, 3_024, 9_999]) {
    const bytes = Buffer.from(`${long}\nb\n`);
    const chunks = [];
    for (let start = 0; start < bytes.length; start += size) chunks.push(bytes.subarray(start, start + size));
    expect(readAll(chunks, 2_000)).toEqual([oversized, line("b")]);
  }
});

test("MCP-10: a long line costs time in proportion to its length", () => {
  const reader = createLineReader(64 * 1024 * 1024);
  const chunk = Buffer.alloc(64 * 1024, "x");
  const started = performance.now();
  for (let i = 0; i < 512; i += 1) expect(reader.push(chunk)).toEqual([]);
  const lines = reader.push(Buffer.from("\n"));
  expect(lines.map((one) => one.type === "line" && one.text.length)).toEqual([32 * 1024 * 1024]);
  expect(performance.now() - started).toBeLessThan(5_000);
});
