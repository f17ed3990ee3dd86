import { afterEach, expect, test, vi } from "vitest";
import { createCodeMode, enforcePayload, type CodeModeError, type CodeModeEvent } from "../src/index.js";
import { createTracedWorld } from "./fakes/span-tree.js";
import { tool } from "./fakes/test-host.js";

// A whole run over the real engine, with secrets planted wherever a host has some. Whatever it tells about itself is
// searched for them; the values and outputs that cells give back are the model's own and are left aside.

const PLANTED = {
  input: "planted-input-5d1c",
  output: "planted-output-81be",
  environment: "planted-environment-93aa",
  hostContext: "planted-context-c04f",
  registered: "planted-registered-77e0",
  token: `ghp_${"a1B2c3D4".repeat(5)}`,
  password: "planted-password-1f1f",
};

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Everything the process writes or warns of from now on. */
function watchLogs(): string[] {
  const logs: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => logs.push(String(text)) > 0);
  }
  vi.spyOn(process, "emitWarning").mockImplementation((warning) => {
    logs.push(warning instanceof Error ? `${warning.name}: ${warning.message} ${warning.stack ?? ""}` : warning);
  });
  return logs;
}

const closed = {
  type: "object",
  properties: { note: { type: "string" }, count: { type: "integer", enum: [1, 2] } },
  additionalProperties: false,
};

const TOOLS = [
  tool("echo", () => ({ said: PLANTED.output }), { parameters: closed }),
  tool("breach", () => {
    throw new Error(`401 for ${PLANTED.registered} with ${PLANTED.token}, password=${PLANTED.password}`);
  }),
  tool("mismatch", () => ({ said: PLANTED.output }), { outputSchema: { type: "array" } }),
  tool("leaky", () => process.env["PLANTED_VARIABLE"]),
  tool("blocked", () => null),
  tool("denied", () => null),
  tool("exotic", () => {
    throw new Proxy(
      {},
      {
        get() {
          throw new Error(PLANTED.registered);
        },
      },
    );
  }),
  { ...tool("shapeless", () => null), execute: () => PLANTED.output as never },
  tool("slow", () => new Promise((resolve) => setTimeout(() => resolve(PLANTED.output), 400))),
];

const CELLS = [
  `const all = await Promise.all([1, 2].map((count) => echo({ note: "${PLANTED.input}", count }))); return all;`,
  `return await echo({ note: "x", count: "${PLANTED.input}" });`,
  `return await echo({ note: ["${PLANTED.input}"], other: 1 });`,
  "return await breach({});",
  "try { await breach({}) } catch {} return 1;",
  `return await mismatch({ a: "${PLANTED.input}" });`,
  "return await leaky({});",
  `return await blocked({ a: "${PLANTED.input}" });`,
  `return await denied({ a: "${PLANTED.input}" });`,
  "return await exotic({});",
  "return await shapeless({});",
  "return typeof process + process.env.PLANTED_VARIABLE;",
  `throw new Error("seen " + "${PLANTED.registered}");`,
  `await echo({ note: () => "${PLANTED.input}" });`,
  `await missing({ a: "${PLANTED.input}" });`,
];

test("SEC-04: nothing that a run tells about itself holds a planted secret", async () => {
  vi.stubEnv("PLANTED_VARIABLE", PLANTED.environment);
  vi.stubEnv("CODEMODE_DEBUG", "surface,payload,events");
  const logs = watchLogs();
  const world = createTracedWorld();
  const events: CodeModeEvent[] = [];
  const codeMode = createCodeMode({
    config: { timeoutMs: 300 },
    workers: { max: 1 },
    tracer: world.tracer,
    redaction: { secrets: [PLANTED.registered] },
    onEvent(event) {
      events.push(event);
      if (event.type === "call-end") throw new Error(`observer has ${PLANTED.registered}, token=${PLANTED.token}`);
    },
  });
  await codeMode.prewarm();
  const run = codeMode.openRun({
    scope: { agentRunId: "agent-1", sessionId: "session-1" },
    hostContext: { key: PLANTED.hostContext },
    tools: TOOLS,
    hooks: {
      beforeToolCall: async ({ toolName }) =>
        toolName === "blocked" ? { block: `not ${PLANTED.registered}` } : undefined,
    },
    approve: async ({ toolName }) => (toolName === "denied" ? { deny: `no ${PLANTED.registered}` } : "allow"),
  });

  const failures: string[] = [];
  const told: unknown[] = [];
  for (const code of CELLS) {
    const result = await run.exec({ code }, { toolCallId: "model-1" });
    told.push(result.telemetry, result.warnings);
    if (result.status === "failed") failures.push(result.error);
  }
  let parked = await run.exec({ code: `return await slow({ a: "${PLANTED.input}" })` });
  expect(parked.status).toBe("waiting");
  while (parked.status === "waiting") parked = await run.wait({ runId: parked.runId });
  expect(parked).toMatchObject({ status: "completed", value: PLANTED.output });
  told.push(parked.telemetry);
  const thrown = await Promise.allSettled([
    run.handleToolCall(PLANTED.input, { a: PLANTED.input }),
    run.wait({ runId: PLANTED.input }),
    (async () => enforcePayload({ tools: [{ name: PLANTED.registered }], apiKey: PLANTED.password } as never, run))(),
  ]);
  told.push(run.telemetry(), run.stats(), run.trajectory());
  await codeMode.close();
  told.push(run.telemetry(), run.stats(), run.trajectory());
  const texts = thrown.map((outcome) => {
    const { status } = outcome;
    if (outcome.status === "fulfilled") return [status, outcome.value];
    const { code, message, details } = outcome.reason as CodeModeError;
    return [status, code, message, details];
  });
  vi.restoreAllMocks();

  // The run has said something everywhere, so that the search means something.
  expect(failures).toHaveLength(12);
  expect(failures).toContain("Error: 401 for *** with ***, password=planted-password-1f1f");
  expect(run.trajectory().filter(({ error }) => error !== undefined)).not.toEqual([]);
  expect(logs.filter((line) => line.includes("observer has ***"))).not.toEqual([]);
  expect(logs.filter((line) => line.startsWith("codemode "))).not.toEqual([]);
  expect(events.length).toBeGreaterThan(40);
  expect(world.spans().length).toBeGreaterThan(20);

  const spans = world
    .spans()
    .map(({ name, attributes, events: inner, status, links }) => [name, attributes, inner, status, links]);
  const searched = { events, spans, told, logs, texts };
  for (const [where, found] of Object.entries(searched)) {
    const text = JSON.stringify(found);
    for (const [what, secret] of Object.entries(PLANTED))
      expect([where, what, text.includes(secret)]).toEqual([where, what, false]);
  }
  const errors = failures.join("\n");
  for (const what of ["input", "output", "environment", "hostContext", "registered", "token"] as const) {
    expect([what, errors.includes(PLANTED[what])]).toEqual([what, false]);
  }
});
