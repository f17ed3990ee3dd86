import { expect, test } from "vitest";
import { playRace } from "./fakes/race.js";

const RACES = 5_000;
const FIRST_SEED = 1;

test("OWN-01, OWN-02, OWN-03, WAIT-10, WAIT-11: abort, close, expiry, wait and settle in 5,000 orders: each call settles once, nothing is left, nothing comes late", async () => {
  const broken: object[] = [];
  const orders = new Set<string>();
  const endings = new Set<string>();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + RACES && broken.length < 3; seed++) {
    const report = await playRace(seed);
    if (report.problems.length > 0) broken.push({ seed, ...report });
    orders.add(report.moves.join());
    for (const ending of report.endings) endings.add(ending);
  }
  expect(broken).toEqual([]);
  // The races were different ones, and went everywhere.
  expect(orders.size).toBeGreaterThan(RACES * 0.95);
  expect([...endings].sort()).toEqual([
    "completed",
    "failed",
    "failed aborted",
    "failed invalid_input",
    "failed timeout",
    "threw CodeModeError",
    "waiting",
  ]);
}, 120_000);
