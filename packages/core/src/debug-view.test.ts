import { createRedactor } from "@codemode/telemetry";
import { expect, test, vi } from "vitest";
import { createTestHost, tool } from "../test/fakes/test-host.js";
import { createCodeMode } from "./create-code-mode.js";
import { createDebugView } from "./debug-view.js";
import { enforcePayload } from "./enforce-payload.js";

const TOOLS = [tool("read", () => null), tool("camera", () => null, { directOnly: true })];

interface View {
  readonly topic: string;
  readonly view: unknown;
}

function viewsOf(lines: readonly string[]): View[] {
  return lines.map((line) => JSON.parse(line.replace(/^codemode /, "")) as View);
}

test("TELE-05: the surface is shown when a run is opened and when its tools change", () => {
  const { run, debugLines } = createTestHost({ debug: "surface", run: { tools: TOOLS } });
  run.appendTools([tool("more", () => null)]);
  run.narrow((name) => name === "more");
  run.replaceTools(TOOLS);
  const shown = viewsOf(debugLines).map(({ topic, view }) => {
    const { modelTools, ...rest } = view as { modelTools: { name: string }[] };
    return [topic, modelTools.map(({ name }) => name), rest];
  });
  const of = (...hidden: string[]) => ({ engaged: true, hidden, sources: { host: hidden.length } });
  expect(shown).toEqual([
    ["surface", ["exec", "wait", "camera"], of("read")],
    ["surface", ["exec", "wait", "camera"], of("read", "more")],
    ["surface", ["exec", "wait"], of("more")],
    ["surface", ["exec", "wait", "camera"], of("read")],
  ]);
});

test("TELE-05: a payload is shown before it is checked, redacted and capped", () => {
  const { run, debugLines } = createTestHost({
    debug: "payload",
    redaction: { secrets: ["hunter2"], patterns: [/ACME-\d+/] },
    run: { tools: TOOLS },
  });
  const payload = {
    model: "m",
    apiKey: "plum",
    headers: { Authorization: "Bearer plum", "x-trace": "t-1" },
    messages: [{ role: "user", content: "my password is hunter2, see ACME-17" }],
    tools: [{ name: "read" }],
    max_tokens: 100,
  };
  expect(() => enforcePayload(payload, run)).toThrow("it holds exec 0 times instead of once");
  const redacted = {
    ...payload,
    apiKey: "***",
    headers: { Authorization: "***", "x-trace": "t-1" },
    messages: [{ role: "user", content: "my password is ***, see ***" }],
  };
  expect(viewsOf(debugLines)).toEqual([{ topic: "payload", view: redacted }]);

  const long = Array.from({ length: 500 }, (_item, index) => ({ content: `${index} ${"word ".repeat(1_000)}` }));
  expect(() => enforcePayload({ messages: long } as never, run)).toThrow("its tools cannot be read");
  const line = debugLines.at(-1) ?? "";
  expect(Buffer.byteLength(line)).toBeLessThan(33 * 1024);
  expect(viewsOf([line])[0]?.view).toMatchObject({ truncated: true });
});

test("TELE-05: events are shown as they come", async () => {
  const { run, events, debugLines } = createTestHost({
    debug: "events",
    programs: { main: (guest) => guest.call("read") },
    run: { tools: TOOLS },
  });
  await run.exec({ code: "main" });
  expect(viewsOf(debugLines)).toEqual(events.map((view) => ({ topic: "events", view })));
});

test("TELE-05: nothing is shown unasked; what cannot be shown says so", () => {
  const lines: string[] = [];
  const redactor = createRedactor();
  const write = (line: string): void => void lines.push(line);
  for (const wanted of [undefined, "", "nothing", "0"]) {
    expect(createDebugView({ wanted, redactor, write })).toBeUndefined();
  }
  const view = createDebugView({ wanted: " Payload , nothing", redactor, write });
  view?.surface(() => "hidden");
  view?.payload(
    new Proxy(
      {},
      {
        ownKeys() {
          throw new Error("no");
        },
      },
    ),
  );
  expect(lines).toHaveLength(1);
  createDebugView({ wanted: "all", redactor, write })?.surface(() => {
    throw new Error("no");
  });
  expect(lines[1]).toBe('codemode {"topic":"surface","view":"[cannot be shown]"}');
});

test("TELE-05: CODEMODE_DEBUG switches it on, to standard error", async () => {
  const written: string[] = [];
  const stderr = vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  vi.stubEnv("CODEMODE_DEBUG", "surface");
  try {
    await using codeMode = createCodeMode();
    codeMode.openRun({ scope: { agentRunId: "agent-1" }, tools: TOOLS });
  } finally {
    stderr.mockRestore();
    vi.unstubAllEnvs();
  }
  expect(viewsOf(written)).toMatchObject([{ topic: "surface", view: { engaged: true, hidden: ["read"] } }]);
});
