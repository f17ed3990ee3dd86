// Invariant: what it gives equals what would be made from the same descriptors.
import type { ProjectedTools, Projection, ProjectionOptions, SharedProjections } from "./projection.js";

/** Everything a projection is made of, by identity; of lists also how long they were. */
interface Key {
  readonly parts: readonly unknown[];
  readonly previous: WeakRef<Projection> | undefined;
}

/**
 * Remembers the projection made last, so that runs that see the very same descriptors share it: a front opens a run for
 * each client, and rendering the declarations of a few hundred tools takes a tenth of a second. Keeps no projection and
 * no descriptor that no run uses any more.
 */
export function createSharedProjections(): SharedProjections {
  const keys = new WeakMap<Projection, Key>();
  let last: WeakRef<Projection> | undefined;
  return {
    of(given, options, make) {
      if (given.tools.length === 0 && given.servers.length === 0) return make();
      const parts = partsOf(given, options);
      const known = last?.deref();
      const key = known === undefined ? undefined : keys.get(known);
      if (known !== undefined && key !== undefined && isSame(key, parts, given.previous)) return known;
      const projection = make();
      const { previous } = given;
      keys.set(projection, { parts, previous: previous === undefined ? undefined : new WeakRef(previous) });
      last = new WeakRef(projection);
      return projection;
    },
  };
}

function partsOf({ tools, servers }: ProjectedTools, options: ProjectionOptions): unknown[] {
  const listed = servers.flatMap((server) => [server, server.tools, (server.tools as Partial<unknown[]>)?.length]);
  return [options.hostLabel, options.catalogIncludesMcp, tools.length, ...tools, ...listed];
}

function isSame({ parts, previous }: Key, others: readonly unknown[], before: Projection | undefined): boolean {
  // A past that is gone is not the same as none.
  const isSamePast = before === undefined ? previous === undefined : previous?.deref() === before;
  return isSamePast && parts.length === others.length && parts.every((part, index) => Object.is(part, others[index]));
}
