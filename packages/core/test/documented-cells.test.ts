import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createStubTools, STUB_SERVERS } from "./corpus/stub-tools.js";
import { createRealHost, type RealHost } from "./fakes/real-host.js";

const page = readFileSync(new URL("../../../docs/writing-cells.md", import.meta.url), "utf8");

/** The programs of the page: language, program, and the last line, which says what it comes to. */
const cells = [...page.matchAll(/^```(js|typescript)\n([\s\S]*?)\n\/\/ (gives|fails:) (.*)\n```$/gm)].map(
  ([, fence, code = "", kind, outcome = ""]) => ({
    code,
    language: fence === "js" ? ("javascript" as const) : ("typescript" as const),
    expected: kind === "gives" ? { value: JSON.parse(outcome) as unknown } : { error: outcome },
  }),
);

let real: RealHost;
beforeAll(async () => {
  real = await createRealHost();
  await real.host.prewarm({ typescript: true });
}, 60_000);
afterAll(() => real.host.close());

test("every program of the page says what it comes to", () => {
  expect(cells.length).toBe([...page.matchAll(/^```\w+$/gm)].length);
  expect(cells.length).toBeGreaterThan(10);
});

test.each(cells)("docs/writing-cells.md: $code", async ({ code, language, expected }) => {
  await using run = real.openRun({ tools: createStubTools(), mcp: STUB_SERVERS });
  const { value, error } = (await run.exec({ code, language })) as { value?: unknown; error?: string };
  expect({ value, error }).toEqual({ value: undefined, error: undefined, ...expected });
});
