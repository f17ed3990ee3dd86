import { expect, test } from "vitest";
import { createPressure, type Occupant, type Pressure } from "./pressure.js";

function occupants() {
  const asked: string[] = [];
  const occupant = (name: string, canBeAsked = true): Occupant => ({ canBeAsked, askToPark: () => asked.push(name) });
  /** Names since the last call. */
  return { occupant, takeAsked: () => asked.splice(0) };
}

test("WAIT-12: whoever is idle longest is asked first, one for each queued cell, and nobody twice", () => {
  const { occupant, takeAsked } = occupants();
  const pressure = createPressure();
  for (const name of ["a", "b", "c"]) pressure.onUse(occupant(name), "idle");
  pressure.relieve(-1);
  pressure.relieve(0);
  expect(takeAsked()).toEqual([]);
  pressure.relieve(1);
  pressure.relieve(1);
  expect(takeAsked()).toEqual(["a"]);
  pressure.relieve(2);
  expect(takeAsked()).toEqual(["b"]);
  pressure.relieve(9);
  pressure.relieve(9);
  expect(takeAsked()).toEqual(["c"]);
});

test("a cell that runs, or that nobody can ask, is left alone", () => {
  const { occupant, takeAsked } = occupants();
  const pressure = createPressure();
  const running = occupant("running");
  pressure.onUse(running, "idle");
  pressure.onUse(running, "running");
  pressure.onUse(occupant("deaf", false), "idle");
  pressure.relieve(2);
  expect(takeAsked()).toEqual([]);
});

test("one that was asked and goes on instead, or cannot park, is made up for by the next", () => {
  const { occupant, takeAsked } = occupants();
  const pressure = createPressure();
  const [a, b, c] = [occupant("a"), occupant("b"), occupant("c")];
  for (const one of [a, b, c]) pressure.onUse(one, "idle");
  pressure.relieve(1);
  pressure.onUse(a, "leaving");
  pressure.onUse(a, "staying");
  pressure.relieve(1);
  pressure.onUse(b, "running");
  pressure.relieve(1);
  expect(takeAsked()).toEqual(["a", "b", "c"]);
  // At its next boundary it can be asked again.
  pressure.onUse(a, "running");
  pressure.onUse(a, "idle");
  pressure.relieve(2);
  expect(takeAsked()).toEqual(["a"]);
});

/** A cell comes to rest, is asked, and does as told. */
function ask(pressure: Pressure, use: "leaving" | "running"): void {
  const cell: Occupant = { canBeAsked: true, askToPark: () => {} };
  pressure.onUse(cell, "idle");
  pressure.relieve(1);
  pressure.onUse(cell, use);
  pressure.onUse(cell, "over");
}

const expectations = (pressure: Pressure, queued: number, times: number): boolean[] =>
  Array.from({ length: times }, () => pressure.expectsPark(queued));

test("cells are expected to park while others queue, if the one asked last did; one in 32 is asked as ever", () => {
  const pressure = createPressure();
  expect(pressure.expectsPark(9)).toBe(false);
  ask(pressure, "leaving");
  expect(pressure.expectsPark(0)).toBe(false);
  const untilAsked = [...Array<boolean>(31).fill(true), false];
  expect(expectations(pressure, 1, 64)).toEqual([...untilAsked, ...untilAsked]);
  ask(pressure, "running");
  expect(pressure.expectsPark(9)).toBe(false);
  ask(pressure, "leaving");
  expect(pressure.expectsPark(9)).toBe(true);
  // Enough workers are about to be free.
  pressure.onUse({ canBeAsked: true, askToPark: () => {} }, "leaving");
  expect([pressure.expectsPark(1), pressure.expectsPark(2)]).toEqual([false, true]);
});

test("a worker that is about to be free anyway counts", () => {
  const { occupant, takeAsked } = occupants();
  const pressure = createPressure();
  const ending = occupant("ending");
  pressure.onUse(ending, "leaving");
  pressure.onUse(occupant("idle"), "idle");
  pressure.relieve(1);
  expect(takeAsked()).toEqual([]);
  pressure.onUse(ending, "over");
  pressure.relieve(1);
  expect(takeAsked()).toEqual(["idle"]);
});
