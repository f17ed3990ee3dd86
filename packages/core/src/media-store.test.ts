import { expect, test } from "vitest";
import { createMediaStore } from "./media-store.js";

const block = (letter: string) => ({ type: "image", mimeType: "image/png", data: letter.repeat(2_000) });

test("MCP-13: the oldest blocks go first when the bound is reached, and one above it is not kept", () => {
  let id = 0;
  const store = createMediaStore(() => `${++id}`, 5_000);
  const refs = store.setAside(["A", "B", "C"].map(block)).map(({ ref }) => ref as string);
  expect(refs).toEqual(["media_1", "media_2", "media_3"]);
  expect(refs.map((ref) => store.find(ref)?.data[0])).toEqual([undefined, "B", "C"]);
  expect(store.setAside([{ ...block("D"), data: "D".repeat(6_000) }])).toEqual([
    { type: "image", mimeType: "image/png", ref: "media_4", bytes: 4_500 },
  ]);
  expect([...refs, "media_4"].map((ref) => store.find(ref))).toEqual([undefined, undefined, undefined, undefined]);
});

test("MCP-13: blocks without large data stay as they are, whatever they are", () => {
  const store = createMediaStore(() => "1");
  const blocks = [{ type: "text", text: "x".repeat(5_000) }, { type: "image", data: 7 }, null] as never[];
  expect(store.setAside(blocks)).toEqual(blocks);
});
