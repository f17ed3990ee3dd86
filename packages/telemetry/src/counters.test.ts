import { expect, test } from "vitest";
import { createTelemetry } from "./counters.js";

const newId = (): string => "scope-1";

test("TELE-01: a snapshot has catalog size, sources, counts, scope and control tools, and nothing else", () => {
  const telemetry = createTelemetry({ newId, catalogSize: 16, sources: { host: 3, mcp: 13 } });
  telemetry.countSearch();
  telemetry.countDescribe();
  telemetry.countDescribe();
  for (let count = 0; count < 3; count++) telemetry.countCall();
  telemetry.countWait();
  expect(telemetry.snapshot()).toEqual({
    catalogSize: 16,
    sources: { host: 3, mcp: 13 },
    counterScope: "scope-1",
    searchCount: 1,
    describeCount: 2,
    callCount: 3,
    waitCount: 1,
    visibleTools: ["exec", "wait"],
    timing: { guestMs: 0, toolsMs: 0, peopleMs: 0 },
  });
  expect(telemetry.bridgeCalls()).toEqual({ search: 1, describe: 2, call: 3 });
});

test("TELE-01: a snapshot does not change with later counts or by its reader", () => {
  const telemetry = createTelemetry({ newId, catalogSize: 1, sources: { host: 1 } });
  const before = telemetry.snapshot();
  telemetry.countCall();
  before.sources["host"] = 99;
  before.visibleTools.push("shell");
  expect(before.callCount).toBe(0);
  expect(telemetry.snapshot()).toMatchObject({ callCount: 1, sources: { host: 1 }, visibleTools: ["exec", "wait"] });
});

test("TELE-01: times add up over a run", () => {
  const telemetry = createTelemetry({ newId, catalogSize: 0, sources: {} });
  telemetry.addTiming({ guestMs: 0.1, toolsMs: 5 });
  telemetry.addTiming({ guestMs: 0.2, peopleMs: 60_000 });
  expect(telemetry.snapshot().timing).toEqual({ guestMs: 0.3, toolsMs: 5, peopleMs: 60_000 });
});

test("TELE-02: a catalog that grows keeps scope and counts; another telemetry has its own scope", () => {
  let ids = 0;
  const options = { newId: () => `scope-${++ids}`, catalogSize: 1, sources: { host: 1 } };
  const telemetry = createTelemetry(options);
  telemetry.countCall();
  telemetry.updateCatalog(3, { host: 1, client: 2 });
  expect(telemetry.snapshot()).toMatchObject({
    catalogSize: 3,
    sources: { host: 1, client: 2 },
    counterScope: "scope-1",
    callCount: 1,
  });
  expect(createTelemetry(options).snapshot()).toMatchObject({ counterScope: "scope-2", callCount: 0 });
  expect(createTelemetry({ ...options, counterScope: "kept" }).snapshot().counterScope).toBe("kept");
});
