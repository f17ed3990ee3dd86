import { expect, test } from "vitest";
import type { OutputDelta } from "@codemode/protocol";
import { createOutput } from "./output.js";

function outputOf(maxChars: number) {
  const output = createOutput(
    () => undefined,
    (work) => work(),
  );
  output.limitTo(maxChars);
  return { output, take: () => JSON.parse(output.take()) as OutputDelta };
}

test("EXEC-06: items keep their order and are taken once", () => {
  const { output, take } = outputOf(1_000);
  output.text("a");
  output.json({ b: [1, undefined] });
  output.text({ c: 1 });
  output.text(undefined);
  expect(take().items.map((item) => JSON.parse(item.text) as unknown)).toEqual([
    { type: "text", text: "a" },
    { type: "json", value: { b: [1, null] } },
    { type: "text", text: '{"c":1}' },
    { type: "text", text: "null" },
  ]);
  expect(take()).toEqual({ items: [], omittedItems: 0, omittedBytes: 0 });
});

test("LIM-04: the item that passes the limit is cut on a whole character, later ones are counted, also over takes", () => {
  const { output, take } = outputOf(40);
  output.text("0123456789");
  const first = take();
  expect(first.items).toEqual([{ text: '{"type":"text","text":"0123456789"}', bytes: -1, isComplete: true }]);
  output.text("🦞🦞🦞");
  output.text("é");
  const item = '{"type":"text","text":"🦞🦞🦞"}';
  expect(take()).toEqual({
    items: [{ text: item.slice(0, 5), bytes: new TextEncoder().encode(item).length, isComplete: false }],
    omittedItems: 1,
    omittedBytes: new TextEncoder().encode('{"type":"text","text":"é"}').length,
  });
});
