import { expect, test } from "vitest";
import { hoistMedia } from "./hoist-media.js";

const none = (): undefined => undefined;
const png = { type: "image", data: "aGVsbG8=", mimeType: "image/png" };

test("MCP-13: blocks leave their place in the data for the content, in order, with what else they carry", () => {
  const wav = { type: "audio", data: "aGk=", mimeType: "audio/wav", annotations: { priority: 1 }, _meta: { page: 2 } };
  expect(hoistMedia({ value: [png, { deep: wav }], text: "as it was" }, 1, none)).toEqual({
    value: {
      value: [
        { type: "image", mimeType: "image/png", bytes: 5, shownAs: "content[1]" },
        {
          deep: {
            type: "audio",
            mimeType: "audio/wav",
            bytes: 2,
            shownAs: "content[2]",
            annotations: { priority: 1 },
            _meta: { page: 2 },
          },
        },
      ],
      text: "as it was",
    },
    blocks: [png, { type: "audio", data: "aGk=", mimeType: "audio/wav" }],
  });
});

test.each([
  ["a type that is not the media's", { ...png, mimeType: "audio/wav" }],
  ["no media type", { ...png, mimeType: "text/html" }],
  ["a media type with more behind it", { ...png, mimeType: 'image/png"><script>' }],
  ["data that is no base64", { ...png, data: "not base64" }],
  ["cut base64", { ...png, data: "aGVsbG8" }],
  ["no data", { ...png, data: "" }],
  ["another type", { ...png, type: "picture" }],
])("MCP-13: a block with %s stays text", (_, block) => {
  expect(hoistMedia([block], 1, none)).toEqual({ value: [block], blocks: [] });
});

test("MCP-13: one answer carries 16 blocks, and data nested without end is left as it is", () => {
  const many = hoistMedia(
    Array.from({ length: 20 }, () => png),
    1,
    none,
  );
  expect(many.blocks).toHaveLength(16);
  expect((many.value as unknown[]).slice(16)).toEqual([png, png, png, png]);
  let deep: unknown = png;
  for (let depth = 0; depth < 40; depth += 1) deep = [deep];
  expect(hoistMedia(deep, 1, none)).toEqual({ value: deep, blocks: [] });
});

test("MCP-13: an own key named __proto__ stays one", () => {
  const value: unknown = JSON.parse('{"__proto__":{"a":1}}');
  expect(JSON.stringify(hoistMedia(value, 1, none).value)).toBe('{"__proto__":{"a":1}}');
});

test("MCP-13: a reference to a block that the run keeps is the block, once; any other stays as it is", () => {
  const kept = { type: "image", data: "aGVsbG8=", mimeType: "image/png" } as const;
  const item = { type: "image", ref: "r1", mimeType: "image/gif", bytes: 9 };
  const other = { ...item, ref: "r2" };
  const note = { type: "image", mimeType: "image/png", bytes: 5, shownAs: "content[1]" };
  expect(hoistMedia([item, other, { ...item, page: 2 }], 1, (ref) => (ref === "r1" ? kept : undefined))).toEqual({
    value: [note, other, { ...note, page: 2 }],
    blocks: [kept],
  });
});

test("MCP-13: a note says where the block went, whatever the block says of itself", () => {
  expect(hoistMedia({ ...png, bytes: 1, shownAs: "content[9]" }, 1, none)).toEqual({
    value: { type: "image", mimeType: "image/png", bytes: 5, shownAs: "content[1]" },
    blocks: [png],
  });
});

test("MCP-13: a block of 64 Mi characters is checked without a stack for it", () => {
  const data = "A".repeat(64 * 1024 * 1024);
  expect(hoistMedia([{ ...png, data }], 1, none).blocks).toHaveLength(1);
  expect(hoistMedia([{ ...png, data: `${data.slice(1)}!` }], 1, none).blocks).toHaveLength(0);
});
