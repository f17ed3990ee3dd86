import { VM_LIMITS, repliesTo, sourceOf, surfaceOf } from "@codemode/testing";
import { expect, test } from "vitest";
import { createPlainRuntime, createQuickJsRuntime } from "../src/index.js";
import { createLibraryCells } from "./library-cells.js";

const { valueWhenParked } = createLibraryCells();
const YIELD = "await yield_control();";

test.each([
  [
    "Intl formatters",
    `const money = new Intl.NumberFormat("de", { style: "currency", currency: "EUR" });
     const { format } = new Intl.DateTimeFormat("en", { timeZone: "Asia/Tokyo", dateStyle: "long" });
     const segments = new Intl.Segmenter("en", { granularity: "word" }).segment("two words");
     const sort = new Intl.Collator("sv").compare;
     ${YIELD}
     return [money.format(1.5), format(0), [...segments].length, ["ä", "z"].sort(sort), money instanceof Intl.NumberFormat];`,
    ["1,50\u00a0€", "January 1, 1970", 3, ["z", "ä"], true],
  ],
  [
    "URL and its parameters",
    `const url = new URL("http://a.b/c?d=e"), params = url.searchParams, entries = params.entries();
     entries.next();
     ${YIELD}
     params.append("f", "g"); url.port = "81";
     ${YIELD}
     return [url.href, params === url.searchParams, [...entries], url instanceof URL, { url }];`,
    ["http://a.b:81/c?d=e&f=g", true, [["f", "g"]], true, { url: "http://a.b:81/c?d=e&f=g" }],
  ],
  [
    "a decoder in the middle of a character",
    `const decoder = new TextDecoder(), bytes = new TextEncoder().encode("é");
     let text = decoder.decode(bytes.subarray(0, 1), { stream: true });
     ${YIELD}
     text += decoder.decode(bytes.subarray(1));
     return text;`,
    "é",
  ],
  [
    "signals, groups of the console and clones",
    `const controller = new AbortController(), seen = [];
     controller.signal.addEventListener("abort", () => seen.push(controller.signal.reason));
     console.group("outer"); console.count();
     const copy = structuredClone(new Map([["k", new Date(5)]]));
     ${YIELD}
     controller.abort("why"); console.count(); console.groupEnd();
     return [seen, copy.get("k").getTime(), crypto.randomUUID().length];`,
    [["why"], 5, 36],
  ],
  [
    "globals first used after the park, and methods of built-ins",
    `const before = (1234.5).toLocaleString("de");
     ${YIELD}
     return [before, (1234.5).toLocaleString("de"), new URL("http://a").href, new Date(0).toLocaleDateString("de"), typeof Intl];`,
    ["1.234,5", "1.234,5", "http://a/", "1.1.1970", "object"],
  ],
])("GUEST-03, GUEST-04: %s survive parking, on another worker", async (_name, code, value) => {
  expect(await valueWhenParked(code)).toEqual(value);
});

test("GUEST-03: the same holds without images", async () => {
  const [first, second] = [createPlainRuntime(), createPlainRuntime()];
  const options = { limits: VM_LIMITS };
  const surface = surfaceOf();
  const vm = await first.create(surface, options);
  const code = `const url = new URL("http://a"); const text = new Intl.NumberFormat("de"); ${YIELD} return [url.href, text.format(1.5)];`;
  const step = vm.evaluate(sourceOf(code), 10_000);
  const snapshot = vm.park();
  vm.dispose();
  const resumed = await second.restore(snapshot, surface, options);
  expect(resumed.deliver({ replies: repliesTo(step) }, 10_000)).toMatchObject({
    type: "completed",
    value: { text: '["http://a/","1,5"]' },
  });
  resumed.dispose();
  for (const runtime of [first, second]) {
    expect(runtime.liveHandles()).toBe(0);
    runtime.dispose();
  }
});

test("EXEC-14: random values of seeded cells repeat, also over a park, and those of others do not", async () => {
  const code = `const one = crypto.randomUUID(); ${YIELD} return [one, crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(8))]];`;
  const seed = { random: 3, now: 1_700_000_000_000 };
  const [first, again] = [await valueWhenParked(code, { seed }), await valueWhenParked(code, { seed })];
  expect(first).toEqual(again);
  expect((first as string[])[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(await valueWhenParked(code, { seed: { ...seed, random: 4 } })).not.toEqual(first);
  expect(await valueWhenParked(code)).not.toEqual(await valueWhenParked(code));
});

test("EXEC-14: texts of the present moment come from the seeded clock", async () => {
  const seed = { random: 1, now: Date.UTC(2024, 1, 29) };
  const code = `const format = new Intl.DateTimeFormat("en"); ${YIELD} return [format.format(), new Date().toLocaleDateString("de")];`;
  expect(await valueWhenParked(code, { seed })).toEqual(["2/29/2024", "29.2.2024"]);
});

test("a cell that uses none of the library parks no larger for it", async () => {
  const runtime = createQuickJsRuntime();
  const vm = await runtime.create(surfaceOf(), { limits: VM_LIMITS });
  vm.evaluate(sourceOf(`${YIELD} return 1;`), 10_000);
  expect(vm.park().bytes).toBeLessThan(45_000);
  vm.dispose();
  runtime.dispose();
});

test("GUEST-01: a timer can be cleared after the park before which it was set; an interval goes on after one", async () => {
  const [first, second] = [createQuickJsRuntime(), createQuickJsRuntime()];
  const options = { limits: VM_LIMITS };
  const surface = surfaceOf();
  const code = `
    const late = setTimeout(() => { throw new Error("must not fire"); }, 60_000, "x");
    let ticks = 0;
    const interval = setInterval((step) => { ticks += step; }, 5, 2);
    ${YIELD}
    clearTimeout(late);
    while (ticks < 6) await new Promise((resolve) => setTimeout(resolve, 1));
    clearInterval(interval);
    return ticks;`;
  const vm = await first.create(surface, options);
  const start = vm.evaluate(sourceOf(code), 10_000);
  if (start.type !== "boundary") throw new Error("the cell did not yield");
  const [late, , pause] = start.requests;
  expect(start.requests.map(({ method }) => method)).toEqual(["timer", "timer", "yield"]);
  const snapshot = vm.park();
  vm.dispose();

  const resumed = await second.restore(snapshot, surface, options);
  const reply = (id: number) => ({ id, ok: true, value: "null" }) as const;
  let step = resumed.deliver({ replies: [reply((pause as { id: number }).id)] }, 10_000);
  expect(step).toMatchObject({ type: "boundary", cancelled: [late?.id] });
  let due = start.requests.slice(1, 2);
  const cancelled: number[] = [];
  for (let turn = 0; turn < 20 && step.type === "boundary"; turn++) {
    due = [...due, ...step.requests];
    step = resumed.deliver({ replies: due.splice(0).map(({ id }) => reply(id)) }, 10_000);
    if (step.type === "boundary") cancelled.push(...step.cancelled);
  }
  expect(step).toMatchObject({ type: "completed", value: { text: "6" } });
  resumed.dispose();
  for (const runtime of [first, second]) runtime.dispose();
});
