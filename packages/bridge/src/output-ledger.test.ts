import { CodeModeError, type CodeModeOutput, type EncodedJson, type OutputDelta } from "@codemode/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeJson } from "./encode-json.js";
import { createOutputLedger, type OutputLedger } from "./output-ledger.js";
import type { TruncationMarker } from "./truncation-marker.js";

fc.configureGlobal({ seed: 4 });

const BUDGET = 2048;
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const text = (content: string): CodeModeOutput => ({ type: "text", text: content });

function delta(
  items: readonly CodeModeOutput[],
  omitted: { items: number; bytes: number } = { items: 0, bytes: 0 },
): OutputDelta {
  return {
    items: items.map((item) => encodeJson(item, Infinity)),
    omittedItems: omitted.items,
    omittedBytes: omitted.bytes,
  };
}

function ledgerWith(...items: readonly CodeModeOutput[]): OutputLedger {
  const ledger = createOutputLedger({ maxOutputBytes: BUDGET });
  ledger.append(delta(items));
  return ledger;
}

function summaryOf(output: readonly CodeModeOutput[] | undefined): TruncationMarker {
  expect(output).toHaveLength(1);
  const item = output?.[0] as { type: "json"; value: TruncationMarker };
  expect(item.type).toBe("json");
  expect(item.value.truncated).toBe(true);
  return item.value;
}

function assertSummary(output: readonly CodeModeOutput[] | undefined, original: string): void {
  const { prefix, omittedBytes } = summaryOf(output);
  expect(original.startsWith(prefix)).toBe(true);
  expect(omittedBytes).toBe(Buffer.byteLength(original) - Buffer.byteLength(prefix));
}

describe("LIM-06: shares of one budget", () => {
  test("what fits is delivered whole, in order, with the value", () => {
    const items = [text("a"), { type: "json" as const, value: { b: [1] } }];
    expect(ledgerWith(...items).take({ value: encodeJson({ done: true }, BUDGET) })).toEqual({
      output: items,
      value: { done: true },
    });
  });

  test("no output gives no output field", () => {
    expect(ledgerWith().take({ value: encodeJson(null, BUDGET) })).toEqual({ value: null });
    expect(ledgerWith().take()).toEqual({});
  });

  test("a large value takes what a small output leaves", () => {
    const value = "v".repeat(1900);
    expect(ledgerWith(text("small")).take({ value: encodeJson(value, BUDGET) })).toEqual({
      output: [text("small")],
      value,
    });
  });

  test("a large output takes what a small value leaves", () => {
    const item = text("o".repeat(1900));
    expect(ledgerWith(item).take({ value: encodeJson(1, BUDGET) })).toEqual({ output: [item], value: 1 });
  });

  test("two large ones get half each, with exact counts", () => {
    const item = text("o".repeat(4000));
    const result = ledgerWith(item).take({ value: encodeJson("v".repeat(4000), BUDGET) });
    const value = result.value as TruncationMarker;
    expect(value.omittedBytes).toBe(4002 - value.prefix.length);
    expect(bytesOf(value)).toBeLessThanOrEqual(BUDGET / 2);
    assertSummary(result.output, JSON.stringify([item]));
    expect(bytesOf(result.output) + bytesOf(value)).toBeLessThanOrEqual(BUDGET);
  });

  test("an error may take what output leaves, and at least half", () => {
    const long = `Error: ${"e".repeat(4000)}`;
    const alone = ledgerWith().take({ error: long });
    expect(bytesOf(alone.error)).toBe(BUDGET);
    expect(alone.error?.endsWith(" [error truncated]")).toBe(true);
    const crowded = ledgerWith(text("o".repeat(4000))).take({ error: long });
    expect(bytesOf(crowded.error)).toBe(BUDGET / 2);
    expect(bytesOf(crowded.output)).toBeLessThanOrEqual(BUDGET / 2);
  });

  test("any output, value and error fit the budget together, and every marker is exact", () => {
    const anyText = fc.string({ unit: "binary", maxLength: 600 });
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 6 }), anyText, fc.boolean(), (contents, last, fails) => {
        const items = contents.map(text);
        const result = ledgerWith(...items).take(fails ? { error: last } : { value: encodeJson(last, BUDGET) });
        const outputBytes = result.output === undefined ? 0 : bytesOf(result.output);
        expect(outputBytes + bytesOf(result.error ?? result.value)).toBeLessThanOrEqual(BUDGET);
        const isSummary = result.output?.[0]?.type === "json";
        if (isSummary) assertSummary(result.output, JSON.stringify(items));
        else expect(result.output ?? []).toEqual(items);
      }),
    );
  });
});

describe("LIM-11: delivery over waits", () => {
  test("ordinary items are delivered once", () => {
    const ledger = ledgerWith(text("one"));
    expect(ledger.take()).toEqual({ output: [text("one")] });
    expect(ledger.take()).toEqual({});
    ledger.append(delta([text("two")]));
    expect(ledger.take({ value: encodeJson(2, BUDGET) })).toEqual({ output: [text("two")], value: 2 });
  });

  test("past the budget a summary of the whole output replaces it, and is repeated only when it changed", () => {
    const first = text("a".repeat(1500));
    const second = text("b".repeat(1500));
    const third = text("c".repeat(10));
    const ledger = ledgerWith(first);
    expect(ledger.take()).toEqual({ output: [first] });
    ledger.append(delta([second]));
    assertSummary(ledger.take().output, JSON.stringify([first, second]));
    expect(ledger.take()).toEqual({});
    ledger.append(delta([third]));
    assertSummary(ledger.take().output, JSON.stringify([first, second, third]));
  });

  test("a final value that changes the share replaces what was delivered", () => {
    const item = text("a".repeat(1500));
    const ledger = ledgerWith(item);
    expect(ledger.take()).toEqual({ output: [item] });
    const result = ledger.take({ value: encodeJson("v".repeat(900), BUDGET) });
    expect(result.value).toBe("v".repeat(900));
    assertSummary(result.output, JSON.stringify([item]));
  });

  test("a summary the final value leaves unchanged is not sent again", () => {
    const ledger = createOutputLedger({ maxOutputBytes: BUDGET });
    ledger.append({ items: [], omittedItems: 1, omittedBytes: 9000 });
    const { prefix, omittedBytes } = summaryOf(ledger.take().output);
    expect({ prefix, omittedBytes }).toEqual({ prefix: "", omittedBytes: 9002 });
    expect(ledger.take({ value: encodeJson(1, BUDGET) })).toEqual({ value: 1 });
  });

  test("items the guest only counted, or cut, are part of the counts", () => {
    const whole = text("start");
    const cut = text("c".repeat(5000));
    const ledger = createOutputLedger({ maxOutputBytes: BUDGET });
    const counted = [text("x"), text("yy")];
    const items = [encodeJson(whole, BUDGET), encodeJson(cut, BUDGET)];
    ledger.append({ items, omittedItems: 2, omittedBytes: bytesOf(counted[0]) + bytesOf(counted[1]) });
    assertSummary(ledger.take().output, JSON.stringify([whole, cut, ...counted]));
  });

  test("a marker among the items is data like any other", () => {
    const marker = { truncated: true, omittedBytes: 5, guidance: "", prefix: "[1" };
    const item: CodeModeOutput = { type: "json", value: marker };
    expect(ledgerWith(item).take({ value: encodeJson(marker, BUDGET) })).toEqual({ output: [item], value: marker });
  });
});

describe("SEC-03: what a worker claims is checked", () => {
  const whole = encodeJson(text("a"), BUDGET);
  const items: readonly (readonly [name: string, item: EncodedJson, problem: string])[] = [
    ["a false size", { ...whole, bytes: 1 }, "a complete JSON text of 26 bytes is said to have 1"],
    [
      "a cut item that is not longer",
      { ...whole, isComplete: false },
      "a cut JSON text of 26 bytes is said to have 26",
    ],
    ["no JSON", { text: "{", bytes: 1, isComplete: true }, "a value is not JSON"],
    [
      "an unknown type",
      encodeJson({ type: "video" }, BUDGET),
      'output item: type must be text, json or image, got "video"',
    ],
    [
      "an image of no kind",
      encodeJson({ type: "image", kind: "video" }, BUDGET),
      'output item: kind must be image or audio, got "video"',
    ],
    [
      "an image without data",
      encodeJson({ type: "image", kind: "image", mimeType: "image/png" }, BUDGET),
      "output item: an image has either a ref or data, of at most 1024 characters",
    ],
    [
      "an image nobody can show",
      encodeJson({ type: "image", kind: "image", mimeType: "image/png", ref: "r" }, BUDGET),
      "1 images; 0 are taken",
    ],
    [
      "text of another type",
      encodeJson({ type: "text", text: 1 }, BUDGET),
      "output item: text must be a string, got 1",
    ],
    ["no value", encodeJson({ type: "json" }, BUDGET), "output item: value must be present, got undefined"],
    ["a field too many", encodeJson({ type: "json", value: 1, x: 1 }, BUDGET), 'output item: unknown field "x"'],
  ];
  const refusal = (problem: string): CodeModeError =>
    new CodeModeError("malformed_message", `Malformed message from the worker: ${problem}.`, {
      from: "worker",
      problem,
    });

  test.each(items)("%s is refused", (_name, item, problem) => {
    const ledger = createOutputLedger({ maxOutputBytes: BUDGET });
    expect(() => ledger.append({ items: [item], omittedItems: 0, omittedBytes: 0 })).toThrow(refusal(problem));
  });

  test("impossible counts and values are refused", () => {
    const ledger = createOutputLedger({ maxOutputBytes: BUDGET });
    expect(() => ledger.append({ items: [], omittedItems: 2, omittedBytes: 1 })).toThrow(
      refusal("2 omitted output items cannot have 1 bytes"),
    );
    expect(() => ledger.take({ value: { text: "1", bytes: 2, isComplete: true } })).toThrow(
      refusal("a complete JSON text of 1 bytes is said to have 2"),
    );
  });
});

describe("LIM-12: the sample of a cut value", () => {
  const cut = encodeJson(
    Array.from({ length: 500 }, (_item, index) => ({ index })),
    1_000,
  );

  test("stands in the marker, inside the budget, and changes no count", () => {
    const { value } = ledgerWith().take({ value: { ...cut, sample: '[{"index":0},"… 499 more items"]' } });
    const marker = value as unknown as TruncationMarker;
    expect(marker.sample).toEqual([{ index: 0 }, "… 499 more items"]);
    expect(bytesOf(marker)).toBeLessThanOrEqual(BUDGET);
    expect(marker.omittedBytes).toBe(cut.bytes - Buffer.byteLength(marker.prefix));
  });

  test("is left out when it would take more than a quarter of the marker", () => {
    const { value } = ledgerWith().take({ value: { ...cut, sample: JSON.stringify("s".repeat(511)) } });
    expect(value).not.toHaveProperty("sample");
  });

  test("is refused when it is not JSON", () => {
    expect(() => ledgerWith().take({ value: { ...cut, sample: "[" } })).toThrow(CodeModeError);
  });
});

describe("LIM-08: drafts of a result of a given size", () => {
  test("a draft delivers nothing until it is told to, and then once", () => {
    const ledger = ledgerWith(text("one"));
    const draft = ledger.draft();
    expect([draft.result, ledger.draft().result]).toEqual([{ output: [text("one")] }, { output: [text("one")] }]);
    draft.deliver();
    expect(ledger.draft().result).toEqual({});
  });

  test("what was delivered earlier takes nothing of the next result's size", () => {
    const ledger = ledgerWith(text("a".repeat(900)));
    ledger.take();
    ledger.append(delta([text("b".repeat(400))]));
    expect(ledger.draft({}, 500).result).toEqual({ output: [text("b".repeat(400))] });
    assertSummary(ledger.draft({}, 400).result.output, JSON.stringify([text("a".repeat(900)), text("b".repeat(400))]));
  });

  test("any draft of any size fits it, and the run's budget", () => {
    const anyText = fc.string({ unit: "binary", maxLength: 600 });
    const size = fc.integer({ min: 256, max: 3 * BUDGET });
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 6 }), anyText, size, (contents, last, resultBytes) => {
        const { output, value } = ledgerWith(...contents.map(text)).draft(
          { value: encodeJson(last, BUDGET) },
          resultBytes,
        ).result;
        const bytes = (output === undefined ? 0 : bytesOf(output)) + bytesOf(value);
        expect(bytes).toBeLessThanOrEqual(Math.min(resultBytes, BUDGET));
      }),
    );
  });
});
