import type { RunContext } from "./run-context.js";

/**
 * Removes a run from the store. Waits at most the watchdog's grace and never rejects: a store that fails must not lose
 * the result of a cell that has ended, so its failure is reported as a fault.
 */
export async function dropParked({ host, limits }: RunContext, runId: string): Promise<void> {
  const dropping = (async () => host.store.drop(runId))().catch(host.reportFault);
  let giveUp = (): void => {};
  const isLate = new Promise<void>((resolve) => (giveUp = resolve));
  const cancelAlarm = host.clock.schedule(
    () => {
      host.reportFault(new Error(`The snapshot store has not dropped ${runId} within ${limits.watchdogGraceMs} ms.`));
      giveUp();
    },
    limits.watchdogGraceMs,
    { keepsAlive: true },
  );
  await Promise.race([dropping, isLate]);
  cancelAlarm();
}
