import { expect, test } from "vitest";
import { createCallLedger } from "./call-ledger.js";

test("calls are kept in order; one that runs twice, late or for nobody is a problem", () => {
  const problems: string[] = [];
  const ledger = createCallLedger((problem) => problems.push(problem));
  const calls = ledger.open(1);
  ledger.record("note", { cell: 1, n: 1 });
  ledger.record("slow", { cell: 1, n: 1 });
  expect([calls.list(), problems]).toEqual([["note 1", "slow 1"], []]);
  ledger.record("note", { cell: 1, n: 1 });
  calls.end();
  ledger.record("note", { cell: 1, n: 2 });
  ledger.forgetEnded();
  ledger.record("note", { cell: 1, n: 3 });
  expect(problems).toEqual([
    "cell 1: note 1 was started twice",
    "cell 1: note 2 was started after the cell had ended",
    "cell 1: note 3 of a cell that is not open",
  ]);
  expect(ledger.count()).toBe(5);
});
