import { expect, test } from "vitest";
import { createTelemetry } from "./counters.js";

function telemetryOf() {
  return createTelemetry({ newId: () => "scope-1", catalogSize: 3, sources: { host: 2, mcp: 1 } });
}

test("TELE-01: counters, catalog, scope and control names are reported", () => {
  const telemetry = telemetryOf();
  telemetry.countSearch();
  telemetry.countDescribe();
  telemetry.countCall();
  telemetry.countCall();
  telemetry.countWait();
  telemetry.addTiming({ guestMs: 1.5, toolsMs: 2 });
  telemetry.addTiming({ peopleMs: 4, guestMs: 1 });
  expect(telemetry.snapshot()).toEqual({
    catalogSize: 3,
    sources: { host: 2, mcp: 1 },
    counterScope: "scope-1",
    searchCount: 1,
    describeCount: 1,
    callCount: 2,
    waitCount: 1,
    visibleTools: ["exec", "wait"],
    timing: { guestMs: 2.5, toolsMs: 2, peopleMs: 4 },
  });
  expect(telemetry.bridgeCalls()).toEqual({ search: 1, describe: 1, call: 2 });
});

test("TELE-02: the scope and the counters stay when the catalog grows", () => {
  const telemetry = telemetryOf();
  telemetry.countCall();
  telemetry.updateCatalog(4, { host: 2, mcp: 1, client: 1 });
  expect(telemetry.snapshot()).toMatchObject({ counterScope: "scope-1", callCount: 1, catalogSize: 4 });
});

test("a snapshot does not change afterwards and cannot change the counters", () => {
  const telemetry = telemetryOf();
  const before = telemetry.snapshot();
  before.sources["host"] = 99;
  telemetry.countCall();
  expect([before.callCount, telemetry.snapshot().sources]).toEqual([0, { host: 2, mcp: 1 }]);
});
