import { afterAll, beforeAll, expect, test } from "vitest";
import type { McpServerDescriptor } from "@codemode/protocol";
import { toModelContent } from "../src/index.js";
import { createRealHost, type RealHost } from "./fakes/real-host.js";

let real: RealHost;
beforeAll(async () => {
  real = await createRealHost();
});
afterAll(() => real.host.close());

const data = Buffer.alloc(300_000, 7).toString("base64");
const small = Buffer.from("tiny").toString("base64");
const sound = Buffer.alloc(1_500, 1).toString("base64");
const png = { type: "image", data, mimeType: "image/png", annotations: { priority: 1 } };

const shots: McpServerDescriptor = {
  name: "shots",
  tools: [{ name: "take", inputSchema: { type: "object" } }],
  callTool: async () => ({
    content: [
      { type: "text", text: "here" },
      png,
      { type: "image", data: small, mimeType: "image/gif" },
      { type: "audio", data: sound, mimeType: "audio/wav" },
      { type: "other", data: "x".repeat(2_000), mimeType: "image/png" },
    ],
  }),
};

const ref = expect.stringMatching(/^media_[0-9a-f-]{36}$/) as unknown as string;

test("MCP-13: image() hands blocks on to the model beside the output, past its budget, in guest order", async () => {
  await using run = real.openRun({ mcp: [shots] }, { maxOutputBytes: 2_048 });
  const result = await run.exec({
    code: `const { content } = await MCP.shots.take({});
      text("before");
      for (const block of content.slice(1, 4)) image(block);
      json("after");
      return content.slice(1, 4).map(({ data, ...block }) => [data ?? "kept", block]);`,
  });
  expect(result).toMatchObject({
    status: "completed",
    output: [
      { type: "text", text: "before" },
      { type: "image", ref, mimeType: "image/png", bytes: 300_000 },
      { type: "image", ref, mimeType: "image/gif", bytes: 4 },
      { type: "image", ref, mimeType: "audio/wav", bytes: 1_500 },
      { type: "json", value: "after" },
    ],
    value: [
      ["kept", { type: "image", mimeType: "image/png", annotations: { priority: 1 }, ref, bytes: 300_000 }],
      [small, { type: "image", mimeType: "image/gif" }],
      ["kept", { type: "audio", mimeType: "audio/wav", ref, bytes: 1_500 }],
    ],
  });
  const refs = (result.output ?? []).flatMap((item) => (item.type === "image" ? [item.ref] : []));
  expect(refs.map((one) => run.media(one))).toEqual([
    { type: "image", data, mimeType: "image/png" },
    { type: "image", data: small, mimeType: "image/gif" },
    { type: "audio", data: sound, mimeType: "audio/wav" },
  ]);
  await run.close();
  expect(run.media(refs[0] ?? "")).toBeUndefined();
});

test("MCP-13, LIM-04: output that is cut keeps its images, and a later cell of the run can show an earlier block", async () => {
  await using run = real.openRun({ mcp: [shots] }, { maxOutputBytes: 1_024 });
  const first = await run.exec({
    code: `const { content } = await MCP.shots.take({}); text("x".repeat(5_000)); image(content[1]); return content[1];`,
  });
  expect(first.output).toMatchObject([
    { type: "json", value: { truncated: true } },
    { type: "image", mimeType: "image/png" },
  ]);
  const block = (first as { value: unknown }).value;
  expect(await run.exec({ code: `image(${JSON.stringify(block)});` })).toMatchObject({
    output: [{ type: "image", ref: (block as { ref: string }).ref, bytes: 300_000 }],
  });
});

test("MCP-13: what is no picture or sound is refused, and what is not kept is said to be gone", async () => {
  await using run = real.openRun({ mcp: [shots] });
  const result = await run.exec({
    code: `const { content } = await MCP.shots.take({});
      const said = (block) => { try { image(block); return "taken"; } catch (error) { return String(error); } };
      image({ type: "image", ref: "media_forged", mimeType: "image/png" });
      image({ type: "audio", data: "no base64!", mimeType: "audio/wav" });
      image({ ...content[4], type: "image" });
      return [undefined, content, content[0], content[4], { type: "image" }, { type: "image", mimeType: 1, data: "" },
        { type: "image", data: "A".repeat(1_028), mimeType: "image/png" }].map(said);`,
  });
  const advice = "pass an image or audio block of a tool's result, such as result.content[0].";
  const gone = (kind: string) => ({
    type: "text",
    text: `[${kind} that cannot be shown: its data is not kept, or is none]`,
  });
  expect(result).toMatchObject({
    output: [gone("image"), gone("audio"), gone("image")],
    value: [
      `TypeError: image got undefined: ${advice}`,
      `TypeError: image got a value that is no image or audio block: ${advice}`,
      `TypeError: image got a value that is no image or audio block: ${advice}`,
      `TypeError: image got a value that is no image or audio block: ${advice}`,
      `TypeError: image got a block whose mimeType is no short text: ${advice}`,
      `TypeError: image got a block whose mimeType is no short text: ${advice}`,
      "RangeError: image takes data of at most 1024 characters, but got 1028: blocks of MCP tools have a ref instead.",
    ],
  });
});

test("MCP-13: a cell hands on at most 32 blocks, over all its waits", async () => {
  await using run = real.openRun({ mcp: [shots] });
  const code = `const { content: [, block] } = await MCP.shots.take({});
    for (let n = 0; n < 20; n++) image(block);
    await yield_control();
    let taken = 20;
    try { for (;;) { image(block); taken++; } } catch (error) { return [taken, String(error)]; }`;
  const first = await run.exec({ code });
  expect(first).toMatchObject({ status: "waiting" });
  expect(first.output).toHaveLength(20);
  const last = await run.wait({ runId: (first as { runId: string }).runId });
  expect(last.output).toHaveLength(12);
  expect(last).toMatchObject({ value: [32, "RangeError: image takes at most 32 blocks in one cell."] });
});

const megabytes: McpServerDescriptor = {
  name: "large",
  tools: [{ name: "take", inputSchema: { type: "object" } }],
  callTool: async () => ({
    content: [
      { type: "image", data: Buffer.alloc(3_000_000, 9).toString("base64"), mimeType: "image/png" },
      { type: "audio", data: Buffer.alloc(600_000, 3).toString("base64"), mimeType: "audio/wav" },
    ],
  }),
};
const HAND_ON = `const { content: [picture, sound] } = await MCP.large.take({});
  image(picture);
  text("x".repeat(900));
  return { sound };`;

test("MCP-13: an adapter gives a model a 3 MB picture and a sound, which take nothing of the output budget", async () => {
  await using run = real.openRun({ mcp: [megabytes] }, { maxOutputBytes: 1_200 });
  const result = await run.exec({ code: HAND_ON });
  expect(JSON.stringify(result).length).toBeLessThan(4_000);
  const { content, shown, telemetry } = toModelContent(result, run);
  expect(shown).toEqual({
    status: "completed",
    output: [
      { type: "image", mimeType: "image/png", bytes: 3_000_000, shownAs: "content[2]" },
      { type: "text", text: "x".repeat(900) },
    ],
    value: { sound: { type: "audio", mimeType: "audio/wav", bytes: 600_000, shownAs: "content[1]" } },
  });
  expect(content).toEqual([
    { type: "text", text: JSON.stringify(shown) },
    { type: "audio", data: Buffer.alloc(600_000, 3).toString("base64"), mimeType: "audio/wav" },
    { type: "image", data: Buffer.alloc(3_000_000, 9).toString("base64"), mimeType: "image/png" },
  ]);
  expect(telemetry).toBe(result.telemetry);
});

test("MCP-13: with all of a result bounded for the model, its pictures come beside it", async () => {
  await using run = real.openRun({ mcp: [megabytes], modelContext: { maxResultChars: 2_000 } });
  const { content } = toModelContent(await run.exec({ code: HAND_ON }), run);
  const [text, ...media] = content;
  expect(text.text.length).toBeLessThanOrEqual(2_000);
  expect(media.map(({ type, data }) => [type, data.length])).toEqual([
    ["audio", 800_000],
    ["image", 4_000_000],
  ]);
});

test("MCP-13: a block that is no longer kept, as after the run's close, stays a small item with its ref", async () => {
  const run = real.openRun({ mcp: [megabytes] });
  const result = await run.exec({ code: HAND_ON });
  await run.close();
  const { content, shown } = toModelContent(result, run);
  expect(content).toEqual([{ type: "text", text: JSON.stringify(shown) }]);
  expect(shown).toEqual({
    status: "completed",
    output: [
      { type: "image", ref, mimeType: "image/png", bytes: 3_000_000 },
      { type: "text", text: "x".repeat(900) },
    ],
    value: { sound: { type: "audio", ref, mimeType: "audio/wav", bytes: 600_000 } },
  });
});
