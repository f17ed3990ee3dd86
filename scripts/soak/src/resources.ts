import { systemThreads } from "./threads.js";

/** What this process holds that keeps it alive, by type, and its threads as the system counts them. */
export interface Resources {
  readonly active: Readonly<Record<string, number>>;
  readonly systemThreads?: number;
}

/** Node starts the threads of its own pool when they are first needed. */
const NODE_POOL_THREADS = 4;

export function readResources(): Resources {
  // Made when they are first asked for, which the first worker thread does.
  void [process.stdout, process.stderr];
  const active: Record<string, number> = {};
  for (const type of process.getActiveResourcesInfo()) active[type] = (active[type] ?? 0) + 1;
  const threads = systemThreads();
  return { active, ...(threads === undefined ? {} : { systemThreads: threads }) };
}

/** What there is more of than before. */
export function resourcesBeyond(before: Resources, now: Resources): string[] {
  const grown = Object.entries(now.active).flatMap(([type, count]) => {
    const extra = count - (before.active[type] ?? 0);
    return extra > 0 ? [`${extra} active resources of type ${type}`] : [];
  });
  const extraThreads = (now.systemThreads ?? 0) - (before.systemThreads ?? 0);
  return extraThreads > NODE_POOL_THREADS ? [...grown, `${extraThreads} system threads`] : grown;
}
