import { readFileSync } from "node:fs";
import { PRELUDE_TEXT } from "@codemode/guest";
import { HOSTILE_SURFACE, VM_LIMITS, answerHostile, repliesTo, sourceOf } from "@codemode/testing";
import type { BridgeReply, BridgeRequest, GuestRuntime } from "@codemode/protocol";
import { expect, test } from "vitest";
import { createPlainRuntime, createQuickJsRuntime } from "../src/index.js";

const source = readFileSync(new URL("fixtures/guest/replace-everything.js", import.meta.url), "utf8");
/** Every identifier of the prelude's code, names of fields among them, and what promises and JSON look for. */
const names = [...new Set(PRELUDE_TEXT.match(/[A-Za-z_$][\w$]{2,}/g)), "then", "toJSON", "get", "set"];

function answer(request: BridgeRequest): BridgeReply {
  const isFirst = request.method === "call" && request.id === 1;
  return isFirst ? { id: 1, ok: true, value: JSON.stringify({ names }) } : answerHostile(request);
}

test.each([
  ["with images", createQuickJsRuntime],
  ["with an engine per cell", createPlainRuntime],
] as [string, () => GuestRuntime][])(
  "ERR-04: a cell that replaces everything is not met anywhere, %s",
  async (_name, create) => {
    const runtime = create();
    const vm = await runtime.create(HOSTILE_SURFACE, { limits: VM_LIMITS });
    let step = vm.evaluate(sourceOf(source), 10_000);
    const output: unknown[] = [];
    while (step.type === "boundary") {
      step = vm.deliver({ replies: repliesTo(step, answer) }, 10_000);
      output.push(...step.output.items.map(({ text }) => JSON.parse(text) as unknown));
    }
    vm.dispose();
    runtime.dispose();
    expect(step.type === "completed" ? (JSON.parse(step.value.text) as unknown) : step).toEqual({
      echoed: { a: 1, list: [1, { b: "é\ufffd" }], date: "1970-01-01T00:00:00.000Z", map: { "0": true } },
      failed: "ToolError: no (E1)",
      refused: "echo takes one object, but got 2 arguments: pass one object, such as echo({ key: value }).",
      found: 2,
      name: "echo",
      all: 2,
      described: "echo",
      read: "a",
      files: "files.d.ts",
      declaration: "declare const files: {};",
      promise: { b: 2 },
      // The language looks for it in each object that a promise is resolved with: six replies.
      used: { "read then": 6 },
    });
    expect(output).toEqual([
      { type: "text", text: "é" },
      { type: "text", text: '{"k":["1"]}' },
      { type: "json", value: ["1970-01-01T00:00:00.000Z", { a: "\u2028" }] },
    ]);
  },
);
