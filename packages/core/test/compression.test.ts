import { expect, test } from "vitest";
import type { CodeModeEvent } from "@codemode/protocol";
import { createCodeMode } from "../src/create-code-mode.js";
import type { CodeMode } from "../src/options.js";

const CODE = `
  const kept = new Map([["city", "Oslo"]]);
  const draw = Math.random();
  await yield_control();
  return [kept.get("city"), draw !== Math.random()];`;

interface Watched {
  readonly host: CodeMode;
  readonly events: CodeModeEvent[];
  /** Settles with the next event of a type. */
  next(type: CodeModeEvent["type"]): Promise<CodeModeEvent>;
}

function createWatchedHost(compressParkedAfterMs: number | false): Watched {
  const events: CodeModeEvent[] = [];
  const waiting = new Map<string, (event: CodeModeEvent) => void>();
  const host = createCodeMode({
    compressParkedAfterMs,
    workers: { max: 1 },
    onEvent(event) {
      events.push(event);
      waiting.get(event.type)?.(event);
    },
  });
  return { host, events, next: (type) => new Promise((resolve) => waiting.set(type, resolve)) };
}

test("WAIT-03: an idle parked run is compressed, and resumes with everything intact", async () => {
  const { host, events, next } = createWatchedHost(0);
  const compressed = next("cell-compress");
  const run = host.openRun({ scope: { agentRunId: "run" }, tools: [] });
  const waiting = (await run.exec({ code: CODE })) as { runId: string };
  const event = await compressed;
  if (event.type !== "cell-compress") throw new Error("another event");
  expect(event.runId).toBe(waiting.runId);
  expect(events).toContainEqual(expect.objectContaining({ type: "cell-park", bytes: event.bytes }));
  expect(event.storedBytes).toBeLessThan(1_376_256 * 0.025);
  expect(await run.wait({ runId: waiting.runId })).toMatchObject({ status: "completed", value: ["Oslo", true] });
  await host.close();
});

test("compression can be switched off, and an idle time that is none is refused", async () => {
  const { host, events } = createWatchedHost(false);
  const run = host.openRun({ scope: { agentRunId: "run" }, tools: [] });
  const { runId } = (await run.exec({ code: CODE })) as { runId: string };
  expect(await run.wait({ runId })).toMatchObject({ status: "completed" });
  expect(events.map(({ type }) => type)).not.toContain("cell-compress");
  await host.close();
  expect(() => createCodeMode({ compressParkedAfterMs: -1 })).toThrow(
    "compressParkedAfterMs: must be from 0 to 2147483647, got -1",
  );
});
