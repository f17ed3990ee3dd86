import { MAX_SUSPENDED_RUNS } from "@codemode/protocol";
import { endingOf } from "./kinds/kind.js";
import type { SoakHost } from "./soak-host.js";

/**
 * Parks as many cells as there may be, and one more, which has to be refused: a slot that leaked would be missing. Gives
 * what was wrong. The cells stay parked.
 */
export async function fillAllSlots(soak: SoakHost): Promise<string[]> {
  const problems: string[] = [];
  for (let slot = 0; slot <= MAX_SUSPENDED_RUNS; slot++) {
    const run = soak.openRun({ sessionId: `slot ${slot}`, variant: 0 });
    const result = await run.exec({ code: "await yield_control();" });
    const expected = slot < MAX_SUSPENDED_RUNS ? "waiting yield" : "failed invalid_input";
    const ending = endingOf(result);
    if (ending !== expected) problems.push(`suspended slot ${slot + 1}: ${ending}, expected ${expected}`);
  }
  if (soak.store.entries() !== MAX_SUSPENDED_RUNS)
    problems.push(`${soak.store.entries()} store entries with all slots full`);
  return problems;
}
